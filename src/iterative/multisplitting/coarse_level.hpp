#pragma once
#include "iterative/jacobi/matrix_block.hpp"
#include "iterative/multisplitting/inner_solver.hpp"

namespace overlapack::iterative {

/// The basis P of the coarse level, on rank 0: vectors of A's near null space, cut into the pieces that they have on blocks of
/// rows, and orthonormalised. So each column of P is non-zero in the rows of one block only.
template <class T>
struct CoarseBasis {
  std::vector<int> block;       ///< by row: its block
  std::vector<Index> start{0};  ///< block b has the columns start[b] .. start[b + 1] - 1 of P
  std::vector<T> value;         ///< n x `most` by rows: row i has its entries in the columns of its block
  Index most = 0;               ///< most columns of a block

  Index columns() const { return start.back(); }
};

/// Makes a basis of the columns of `vectors`, or of the vector of ones if there are none. Pieces that depend on others of their
/// block are left out.
/// Shapes  vectors: n x count, column by column
template <class T>
CoarseBasis<T> coarse_basis(std::span<const int> block, int blocks, std::span<const T> vectors, Index count);

/// P^H A P, marked with A's symmetry if P^H A P has it.  Cost  nnz times the number of columns of a block
template <class T>
SparseMatrix<T> coarse_matrix(const SparseMatrix<T>& A, const CoarseBasis<T>& basis);

/// The coarse level C = P (P^H A P)^-1 P^H of a Schwarz operator. P is distributed like the rows; rank 0 solves with P^H A P.
template <class T>
class CoarseLevel {
 public:
  /// Shapes  A, basis: on rank 0, null and empty elsewhere; rows: this rank's rows
  /// Sync    collective; the factory is called on each rank, except on rank 0 with a matrix of order 0
  /// Errors  Singular if P^H A P is; other errors of the factory
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
  /// Number of solves so far, the same on all ranks.
  Index solves() const { return solves_; }

 private:
  /// Call visit(row, column, entry) for my entries of P.
  template <class Visit>
  void for_each_entry(Visit visit) const;

  /// By my rows: first column and number of columns of its block, and the entries there.
  std::vector<Index> first_;
  std::vector<Index> count_;
  std::vector<T> value_;
  Index most_ = 0, columns_ = 0;
  bool is_root_ = false;
  Index solves_ = 0;
  std::unique_ptr<InnerSolver<T>> solver_;  ///< used on rank 0
};

}  // namespace overlapack::iterative
