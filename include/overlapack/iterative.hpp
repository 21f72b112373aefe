#pragma once
/// Sparse systems by iteration: Jacobi's method, in step or asynchronous.
///
///   auto jacobi = overlapack::iterative::jacobi(A, {.ranks = 4, .variant = "async"});
///   auto [x, report] = jacobi.solve(b);
#include "overlapack/overlapack.hpp"

namespace overlapack::iterative {

/// A matrix dealt to the ranks that iterate on it. Movable; calls on one object are not to overlap, different objects are
/// independent. Under MPI each function is called by all ranks of the communicator.
template <class T>
class OVERLAPACK_API Jacobi {
 public:
  Jacobi(Jacobi&&) noexcept;
  Jacobi& operator=(Jacobi&&) noexcept;
  ~Jacobi();

  /// Iterate from x = 0 until ||b - A x||_2 <= tolerance ||b||_2, for each right-hand side by itself. The residual that is
  /// reported is that of the x that is returned.
  /// Shapes  b: n x nrhs by columns; on rank 0, ignored on the others; X: on every rank
  /// Cost    2 nnz flops (8 complex) an iteration
  /// Errors  BadInput if b has a wrong size or holds NaN or infinity; Cancelled; CommFailure.
  ///         What diverges or takes more than max_iterations returns the best x known, with status not_converged.
  Solution<T> solve(std::span<const T> b, Index nrhs = 1);

  /// Of the preparation and, after one, of the last solve.
  const Report& report() const;
  /// The events of every rank (Options::trace), on rank 0.
  const trace::Timeline& timeline() const;

  struct Implementation;
  explicit Jacobi(std::unique_ptr<Implementation> implementation);

 private:
  std::unique_ptr<Implementation> implementation_;
};

/// Bound the spectral radius of |D^-1 (L + U)|, partition the rows of A by METIS and deal them. Where the bounds do not tell
/// that the method converges, the report's jacobi->warning says so.
/// Shapes  A: square, columns in any order, duplicates are summed; under MPI on rank 0, ignored on the others
/// Sync    collective over the ranks of an MPI communicator
/// Errors  BadInput: a zero on the diagonal; BadPlan: a matrix on which asynchronous iterations cannot converge (the radius is at
///         least 1), variant racy with complex numbers; Cancelled, CommFailure
template <class T>
OVERLAPACK_API Jacobi<T> jacobi(SparseMatrix<T> A, const Options& options = {});

}  // namespace overlapack::iterative
