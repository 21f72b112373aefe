#pragma once
#include "dense/lu/plan/plan.hpp"
#include "dist/grid/distributed_matrix.hpp"
#include "kernels/product/gemm.hpp"

#include <span>
#include <vector>

/// Solves with the factors of lu_factor.
namespace overlapack::dense {

/// B <- op(A)^{-1} B with the factors that lu_factor stored in A.
/// Shapes  A: n x n; B: n x nrhs on the same grid, row blocks and row source as A's, any column blocks
/// Sync    collective over the team
/// Cost    2 n^2 nrhs flops; X is on every process, rhs_block columns at a time
template <class T>
void lu_solve(comm::Rank& rank, kernels::Op op, const dist::DistributedMatrix<T>& A,
              std::span<const Index> pivots, const dist::DistributedMatrix<T>& B, const LuPlan& plan);

/// X <- op(A)^{-1} X for an X replicated on every process of the grid; X is ignored on ranks outside of it.
/// Shapes  X: n x nrhs
template <class T>
void lu_solve(comm::Rank& rank, kernels::Op op, const dist::DistributedMatrix<T>& A,
              std::span<const Index> pivots, MatrixView<T> X, const LuPlan& plan);

/// X = U^{-1} Y on the ranks of the grid, for an augmented matrix [A | B] as HPL factorises it. Y = L^{-1} P B are the columns behind the
/// square, which lu_factor has updated with the others. Returns an empty X on ranks outside of the grid.
/// Shapes  A: n x (n + nrhs); X: n x nrhs, column by column
template <class T>
std::vector<T> back_substitute(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const LuPlan& plan);

}  // namespace overlapack::dense
