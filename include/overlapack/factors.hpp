#pragma once
#include "overlapack/error.hpp"
#include "overlapack/export.hpp"
#include "overlapack/report.hpp"
#include "overlapack/scalar.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "overlapack/trace.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace overlapack {

/// The matrix of a solve: A, A^T or A^H.
enum class Transpose : std::uint8_t { none, trans, conj_trans };

/// mantissa * 2^exponent; the larger part of the mantissa is at least 1/2 and below 1 (0: zero).
template <class T>
struct Determinant {
  T mantissa{};
  Index exponent = 0;
};

/// The numbers of eigenvalues of a symmetric or Hermitian matrix above, below and equal to zero.
struct Inertia {
  Index positive = 0;
  Index negative = 0;
  Index zero = 0;
};

/// x, n x nrhs by columns, and its report. Under MPI x, status and backward error are on every rank, the rest of the
/// report on rank 0.
template <class T>
struct Solution {
  std::vector<T> x;
  Report report;
};

/// Solves with one matrix, by sparse or dense factors or by an iteration. For callers that choose the method at run time. Each
/// kind has more functions in its own class.
template <class T>
class OVERLAPACK_API Factors {
 public:
  virtual ~Factors() = default;

  /// Solve op(A) X = B.
  /// Shapes  b: n x nrhs by columns; on rank 0, ignored on the others; X: on every rank
  /// Errors  BadInput if b has a wrong size or holds NaN or infinity; BadPlan for an op that this kind does not have; Singular if
  ///         no column of b has a solution (Options::singular); Cancelled; CommFailure
  virtual Solution<T> solve(std::span<const T> b, Index nrhs = 1, Transpose op = Transpose::none) = 0;

  // A kind that does not have one of these throws BadPlan, with a sentence.
  virtual void refactorize(SparseMatrix<T> A);
  virtual Determinant<T> determinant();
  virtual double reciprocal_condition();
  virtual Inertia inertia() const;
  virtual void save(const std::string& path);

  /// Run check, which looks at this process's arguments of a call that all ranks are about to make on these factors. If it throws
  /// on one process, that call throws its error on all, instead of waiting for this one. If ranks are threads: check() alone.
  /// Sync    collective over the processes of an MPI run if it throws, as the call is
  virtual void agree(const std::function<void()>& check) = 0;

  /// The report of the factorisation and, after one, of the last solve. Calls write to it: read it while no other thread calls.
  virtual const Report& report() const = 0;
  /// The events of every rank (RunOptions::trace), on rank 0. Read them while no other thread calls.
  virtual const trace::Timeline& timeline() const = 0;
  /// Run read(), which reads report() or timeline(), while no other thread calls: it waits for the end of a call that is under way.
  /// A progress function may ask for this, too.
  virtual void between_calls(const std::function<void()>& read) const = 0;
  /// A copy of the report, made between calls.
  Report copy_report() const;

 protected:
  Factors() = default;
  Factors(Factors&&) noexcept = default;
  Factors& operator=(Factors&&) noexcept = default;
};

}  // namespace overlapack
