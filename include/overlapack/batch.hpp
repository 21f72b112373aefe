#pragma once
/// Many systems whose matrices have one pattern: analysed once, factorised and solved side by side.
#include "overlapack/export.hpp"
#include "overlapack/factors.hpp"
#include "overlapack/handle.hpp"
#include "overlapack/options.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace overlapack {

/// Counts and times of a batch.
struct BatchReport {
  Index systems = 0, n = 0, nnz = 0;
  Index in_lanes = 0;  ///< systems that are factorised side by side, one in each lane of SIMD registers
  /// Systems that are factorised each by itself, since they are too large or have too small pivots in the common positions.
  Index alone = 0;
  Index left_out = 0;  ///< systems that `wanted` excluded
  int threads = 1;
  double bytes = 0;    ///< of values and factors
  std::string choice;  ///< one sentence: why systems are in lanes or alone
  double analysis_s = 0, factor_s = 0, solve_s = 0;
};

/// The solutions of a batch. x has the layout of b: for each system nrhs columns of n numbers.
template <class T>
struct BatchSolution {
  std::vector<T> x;
  /// One for each system: how its solve ended, over all its right-hand sides, as for a single system; `cancelled` if the system was
  /// left out. x is NaN where there is no solution.
  std::vector<Status> status;
  /// one for each system, the largest over its right-hand sides; NaN without a solution
  std::vector<double> backward_error;
};

/// The factors of many matrices with one pattern. Movable. Concurrent calls on one object are serialised.
template <class T>
class OVERLAPACK_API Batch {
 public:
  /// Solve op(A_k) X_k = B_k for all systems k, with refinement. A system that fails does not stop the others.
  /// Shapes  b: for each system nrhs columns of n numbers
  /// Errors  BadInput if b has a wrong size, or holds NaN or infinity (the sentence names the system); Cancelled
  BatchSolution<T> solve(std::span<const T> b, Index nrhs = 1, Transpose op = Transpose::none);

  /// Factorise other values of the same pattern. Systems that are left out have no factors afterwards. After a call that was
  /// stopped or ran out of memory, no system has factors.
  /// Shapes  as for factorize_batch
  /// Errors  BadInput if sizes do not fit (the old factors stay); OutOfMemory; Cancelled
  void refactorize(std::span<const T> values, std::span<const std::uint8_t> wanted = {});

  /// How the last factorisation of each system ended: ok, singular, bad_input (values that are not finite), cancelled
  /// (left out), ... Read it and the report while no other thread calls.
  const std::vector<Status>& status() const;
  const BatchReport& report() const;
  /// Copies of status and report, made while no other thread's call is under way.
  std::vector<Status> copy_status() const;
  BatchReport copy_report() const;

  struct Implementation;
  explicit Batch(Handle<Implementation> implementation) : implementation_(std::move(implementation)) {}

 private:
  Handle<Implementation> implementation_;
};

/// Factorise many systems with one pattern by LU. The pattern is analysed once, by the values of the first system that has an
/// analysis. Small systems are factorised side by side, with the pivots of the analysis. A large system, and one in which
/// these pivots fail the pivot test, is factorised by itself, as factorize does. The numbers of a system depend on its own
/// values and on those of the first system, which chose the pivots. They do not depend on its place or on the number of threads.
/// Shapes  pattern: square, its values are not read; rows of a column in any order, each once
///         values: for each system one number for each entry of the pattern, in the order of the pattern's entries
///         wanted: one byte for each system, 0: it is left out; empty: no system is left out
/// options: ordering, matching, scaling, pivot_threshold, refinement, and ranks (the number of threads over systems). A system that is
///          factorised by itself uses the other options, too. time_limit_s and progress apply to a call on the batch as a whole
/// Errors  BadInput if the pattern is invalid or sizes do not fit; OutOfMemory; Cancelled. If one system fails, only its status says so
///         BadPlan: a method other than multifrontal, a factorization other than lu, or a memory_limit
template <class T>
OVERLAPACK_API Batch<T> factorize_batch(SparseMatrix<T> pattern, std::span<const T> values,
                                        const Options& options = {},
                                        std::span<const std::uint8_t> wanted = {});

}  // namespace overlapack
