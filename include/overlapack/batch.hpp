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
  Index in_lanes = 0;  ///< systems that are factorised side by side, several numbers at once
  Index alone =
      0;  ///< systems factorised each by itself: too large, or with pivots too small in the common places
  Index left_out = 0;
  int threads = 1;
  double bytes = 0;    ///< of values and factors
  std::string choice;  ///< one sentence: the reason
  double analysis_s = 0, factor_s = 0, solve_s = 0;
};

/// x, the right-hand sides of a system one after the other, systems as in b.
template <class T>
struct BatchSolution {
  std::vector<T> x;
  /// For each system, how its solve ended, over its right-hand sides, as the solve of a single system; `cancelled` if it was left
  /// out. x is NaN if there is no solution.
  std::vector<Status> status;
  std::vector<double> backward_error;  ///< the largest of its right-hand sides; NaN without a solution
};

/// Factors of many matrices of one pattern. Movable. Concurrent calls on one object are serialised.
template <class T>
class OVERLAPACK_API Batch {
 public:
  /// Solve op(A_k) X_k = B_k for all systems k, with refinement. A system that fails does not stop the others.
  /// Shapes  b: for each system nrhs columns of n numbers
  /// Errors  BadInput if b has a wrong size, or holds NaN or infinity (with the system); Cancelled
  BatchSolution<T> solve(std::span<const T> b, Index nrhs = 1, Transpose op = Transpose::none);

  /// Factorise other values of the same pattern. Systems that are left out have no factors afterwards. After a call that was
  /// stopped or ran out of memory no system has factors.
  /// Shapes  as for factorize_batch
  /// Errors  BadInput: sizes that do not fit, the old factors stay; OutOfMemory; Cancelled
  void refactorize(std::span<const T> values, std::span<const std::uint8_t> wanted = {});

  /// How the last factorisation of each system ended: ok, singular, bad_input (values that are not finite), cancelled
  /// (left out), ... Read it and the report while no other thread calls.
  const std::vector<Status>& status() const;
  const BatchReport& report() const;
  /// The same as copies, as Factors::copy_report.
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
///         values: for each system one number an entry of the pattern, in its order
///         wanted: a byte a system, 0: it is left out; empty: no system is left out
/// options: ordering, matching, scaling, pivot_threshold, refinement, ranks (threads over systems). For systems that are
///          factorised by themselves the others count, too. time_limit_s and progress hold for each call on the batch as a whole
/// Errors  BadInput: the pattern, or sizes that do not fit; OutOfMemory; Cancelled. The failure of one system is its status
///         BadPlan: a method other than multifrontal, a factorization other than lu, a memory_limit
template <class T>
OVERLAPACK_API Batch<T> factorize_batch(SparseMatrix<T> pattern, std::span<const T> values,
                                        const Options& options = {},
                                        std::span<const std::uint8_t> wanted = {});

}  // namespace overlapack
