#pragma once
#include "iterative/jacobi/matrix_block.hpp"
#include "iterative/multisplitting/inner_solver.hpp"

namespace overlapack::iterative {

/// The near null space of A, cut by blocks: orthonormal columns P, each with the rows of one block. On rank 0.
template <class T>
struct CoarseBasis {
  std::vector<int> block;       ///< of each row
  std::vector<Index> start{0};  ///< columns of P by block
  std::vector<T> value;         ///< n x `most` by rows: of row i the entries of its block's columns
  Index most = 0;               ///< columns of a block, at most

  Index columns() const { return start.back(); }
};

/// Columns of `vectors`, or the vector of ones where there are none, cut by blocks and made orthonormal; those that depend on others
/// of their block are left out.
/// Shapes  vectors: n x count by columns
template <class T>
CoarseBasis<T> coarse_basis(std::span<const int> block, int blocks, std::span<const T> vectors, Index count);

/// P^H A P, with A's symmetry where P^H A P has it.  Cost  nnz times the columns of a block
template <class T>
SparseMatrix<T> coarse_matrix(const SparseMatrix<T>& A, const CoarseBasis<T>& basis);

/// C = P (P^H A P)^-1 P^H, its matrix solved with on rank 0.
template <class T>
class CoarseLevel {
 public:
  /// Shapes  A, basis: on rank 0, null and empty elsewhere; the rows of rank r are those of `rows`
  /// Sync    collective; the factory is called on each rank, with a matrix of order 0 elsewhere than on rank 0
  /// Errors  Singular, with what to do; others of the factory
  CoarseLevel(comm::Rank& rank, const SparseMatrix<T>* A, const CoarseBasis<T>& basis,
              const MatrixBlock<T>& rows, const InnerFactory<T>& factory);

  /// P^H r.  Shapes  r: my unknowns.  Collective.
  std::vector<T> restrict_residual(comm::Rank& rank, const T* r) const;
  /// x <- x + P (P^H A P)^-1 c, or its adjoint.  Shapes  c: of restrict_residual; x: my unknowns.  Collective.
  void add_coarse_solution(comm::Rank& rank, std::vector<T> c, T* x, bool is_adjoint);
  /// x <- x + C r, or C^H.  Shapes  r, x: my unknowns.  Collective.
  void add_to(comm::Rank& rank, const T* r, T* x, bool is_adjoint) {
    add_coarse_solution(rank, restrict_residual(rank, r), x, is_adjoint);
  }
  /// So far, the same on all ranks.
  Index solves() const { return solves_; }

 private:
  /// visit(row, column, entry) for my entries of P.
  template <class Visit>
  void for_each_entry(Visit visit) const;

  /// Of each of my rows: its columns and their entries.
  std::vector<Index> first_;
  std::vector<Index> count_;
  std::vector<T> value_;
  Index most_ = 0, columns_ = 0;
  bool is_root_ = false;
  Index solves_ = 0;
  std::unique_ptr<InnerSolver<T>> solver_;  ///< used on rank 0
};

}  // namespace overlapack::iterative
