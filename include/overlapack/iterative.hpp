#pragma once
/// Sparse systems by iteration, in step or asynchronous: Jacobi's method, and multisplitting, in which each rank solves with a
/// block of the matrix.
///
///   auto jacobi = overlapack::iterative::jacobi(A, {.ranks = 4, .iteration = {.variant = Variant::async}});
///   auto [x, report] = jacobi.solve(b);
///   auto blocks = overlapack::iterative::multisplitting(A, {.ranks = 4, .multisplitting = {.overlap = 3}});
#include "overlapack/overlapack.hpp"

namespace overlapack::iterative {

/// A matrix that is distributed over ranks, ready to iterate on it. Movable. Concurrent calls on one object are serialised; different
/// objects are independent. Under MPI all ranks of the communicator call each function.
template <class T>
class OVERLAPACK_API Iteration final : public Factors<T> {
 public:
  /// Solve A X = B: iterate from x = 0 until ||b - A x||_2 <= tolerance ||b||_2, for one right-hand side after the other. The report
  /// has the residual of the x that is returned. If the iteration diverges or takes more than max_iterations, the call returns the
  /// best x known with status not_converged.
  /// Shapes  b: n x nrhs by columns; on rank 0, ignored on the others; X: on every rank
  /// Cost    an iteration: Jacobi 2 nnz flops (8 complex); multisplitting: a solve with each block
  /// Errors  BadInput if b has a wrong size or holds NaN or infinity, or a block is not positive definite (inner cg)
  ///         BadPlan for another op than none; Cancelled; CommFailure
  Solution<T> solve(std::span<const T> b, Index nrhs = 1, Transpose op = Transpose::none) override;

  /// Solve A X = B as solve does, starting from x0, n x nrhs as b, instead of 0.
  /// Errors  as solve; BadInput if x0 has a wrong size or holds NaN or infinity
  Solution<T> solve_from(std::span<const T> x0, std::span<const T> b, Index nrhs = 1);

  /// Apply the iteration as a preconditioner: returns M b, the result of IterationOptions::sweeps iterations (at least 1) from x = 0,
  /// whatever its residual. In step and with inner direct, M is a fixed linear operator. If A is Hermitian positive definite and the
  /// weights are both or none, M is Hermitian positive definite too; with several sweeps this needs a small enough damping.
  /// op: trans or conj_trans apply M^T or M^H. They need blocks that precondition in step
  /// Shapes  b: n x nrhs by columns; on rank 0, ignored on the others; the result: on every rank
  /// Cost    a solve with each block for each sweep
  /// Errors  BadInput if b has a wrong size or holds NaN or infinity; BadPlan for an op that this M does not have; Cancelled; CommFailure
  std::vector<T> apply(std::span<const T> b, Index nrhs = 1, Transpose op = Transpose::none);

  /// Replace the matrix by another one with the same pattern. Rows stay on their ranks; blocks are factorised anew.
  /// Shapes  A: as for multisplitting
  /// Errors  BadInput if A has another order or pattern
  ///         Otherwise as multisplitting; the object then has no blocks until a refactorize succeeds
  void refactorize(SparseMatrix<T> A) override;

  void agree(const std::function<void()>& check) override;
  /// The report of the preparation and of the last solve, if there was one.
  const Report& report() const override;
  const trace::Timeline& timeline() const override;
  void between_calls(const std::function<void()>& read) const override;

  struct Implementation;
  explicit Iteration(Handle<Implementation> implementation) : implementation_(std::move(implementation)) {}

 private:
  Handle<Implementation> implementation_;
};

/// Prepare Jacobi's method for A. It bounds the spectral radius of |D^-1 (L + U)|, partitions the rows of A by METIS and distributes
/// them. If the bounds do not prove convergence, the report has a warning in iteration->warning.
/// Shapes  A: square, columns in any order, duplicates are summed; under MPI on rank 0, ignored on the others
/// Sync    collective over the ranks of an MPI communicator
/// Errors  BadInput: a zero on the diagonal
///         BadPlan: asynchronous iterations cannot converge, since the radius is at least 1; or variant racy with complex numbers
///         Cancelled, CommFailure
template <class T>
OVERLAPACK_API Iteration<T> jacobi(SparseMatrix<T> A, const Options& options = {});

/// Prepare multisplitting for A. Rows are distributed as by jacobi, and each rank's block reaches MultisplittingOptions::overlap layers
/// into other blocks. The block is factorised once (inner direct), has an incomplete LU (ilu), or is solved with by conjugate gradients
/// (cg). The iteration converges with any delays if A is an H-matrix, which bounds below 1 of the radius prove. Without the proof it may
/// converge or not, and the report has a warning in iteration->warning.
/// near_null_space: for MultisplittingOptions::coarse, vectors that A nearly maps to 0, n x k by columns, on rank 0. For elasticity they
///                  are the rigid motions. Empty: ones on each strongly coupled part of a block
/// Errors  as jacobi, except that a radius above 1 is no error
///         Singular: a block is singular; OutOfMemory: for the factors of the blocks
///         BadPlan: inner cg for a matrix that is not symmetric (complex: Hermitian), ordering user
template <class T>
OVERLAPACK_API Iteration<T> multisplitting(SparseMatrix<T> A, const Options& options = {},
                                           std::span<const T> near_null_space = {});

/// Prepare the iteration that Options::method names; empty: jacobi.
/// Errors  BadPlan for other methods
template <class T>
OVERLAPACK_API Iteration<T> iteration(SparseMatrix<T> A, const Options& options,
                                      std::span<const T> near_null_space = {});

/// Whether the method is jacobi or multisplitting.
OVERLAPACK_API bool is_iterative(std::optional<Method> method);

}  // namespace overlapack::iterative
