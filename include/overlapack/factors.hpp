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

/// op(A), the matrix of a solve: A, A^T or A^H.
enum class Transpose : std::uint8_t { none, trans, conj_trans };

/// A determinant as mantissa * 2^exponent, which cannot overflow. The mantissa is 0, or 1/2 <= |mantissa| < 1; of a complex mantissa
/// this holds for the larger of its two parts.
template <class T>
struct Determinant {
  T mantissa{};
  Index exponent = 0;
};

/// How many eigenvalues of a symmetric or Hermitian matrix are positive, negative and zero.
struct Inertia {
  Index positive = 0;
  Index negative = 0;
  Index zero = 0;
};

/// A solution x, n x nrhs by columns, and the report of the solve. Under MPI every rank has x, status and backward error; rank 0
/// alone has the rest of the report.
template <class T>
struct Solution {
  std::vector<T> x;
  Report report;
};

/// Solves systems with one matrix, by sparse factors (Factorization), dense factors (dense::DenseFactors) or an iteration
/// (iterative::Iteration). It is the common base for callers that choose the method at run time. Each derived class has more
/// functions.
template <class T>
class OVERLAPACK_API Factors {
 public:
  virtual ~Factors() = default;

  /// Solve op(A) X = B.
  /// Shapes  b: n x nrhs by columns; on rank 0, ignored on the others; X: on every rank
  /// Errors  BadInput if b has a wrong size or holds NaN or infinity; BadPlan for an op that this kind does not have; Singular if
  ///         no column of b has a solution (Options::singular); Cancelled; CommFailure
  virtual Solution<T> solve(std::span<const T> b, Index nrhs = 1, Transpose op = Transpose::none) = 0;

  // A derived class that cannot answer one of these throws BadPlan, with a sentence.
  virtual void refactorize(SparseMatrix<T> A);
  virtual Determinant<T> determinant();
  virtual double reciprocal_condition();
  virtual Inertia inertia() const;
  virtual void save(const std::string& path);

  /// Call check(), which inspects this process's arguments of a call that all ranks are about to make on these factors. If check()
  /// throws on one process, that coming call throws the error on all processes, instead of waiting for this one. If ranks are
  /// threads, agree only calls check().
  /// Sync    collective over the processes of an MPI run if it throws, as the call is
  virtual void agree(const std::function<void()>& check) = 0;

  /// The report of the factorisation and of the last solve, if there was one. Calls write to it: read it while no other thread calls.
  virtual const Report& report() const = 0;
  /// The events of every rank (RunOptions::trace), on rank 0. Read them while no other thread calls.
  virtual const trace::Timeline& timeline() const = 0;
  /// Call read(), which reads report() or timeline(), while no other thread's call is under way; between_calls waits for the end of
  /// such a call. A progress function may call this, too.
  virtual void between_calls(const std::function<void()>& read) const = 0;
  /// A copy of the report, made by between_calls. Other threads may call at the same time.
  Report copy_report() const;

 protected:
  Factors() = default;
  Factors(Factors&&) noexcept = default;
  Factors& operator=(Factors&&) noexcept = default;
};

}  // namespace overlapack
