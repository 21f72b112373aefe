#pragma once
#include "dense/lu/plan/plan.hpp"
#include "dist/grid/distributed_matrix.hpp"
#include "kernels/product/gemm.hpp"

#include <span>
#include <vector>

/// Solves with the factors that lu_factor left in A's place.
namespace overlapack::dense {

/// X <- op(A)^{-1} B in B's place, A as lu_factor left it.
/// Shapes  A: n x n; B: n x nrhs on the same grid, row blocks and row source as A's, any column blocks
/// Sync    collective over the team
/// Cost    2 n^2 nrhs flops; X is on every process, rhs_block columns at a time
template <class T>
void lu_solve(comm::Rank& rank, kernels::Op op, const dist::DistributedMatrix<T>& A,
              std::span<const Index> pivots, const dist::DistributedMatrix<T>& B, const LuPlan& plan);

/// The same for an X that every process of the grid has; ranks outside of the grid pass any.
/// Shapes  X: n x nrhs
template <class T>
void lu_solve(comm::Rank& rank, kernels::Op op, const dist::DistributedMatrix<T>& A,
              std::span<const Index> pivots, MatrixView<T> X, const LuPlan& plan);

/// X = U^{-1} Y on every rank, for A = [A | b] as HPL factorises it: its columns behind the square, Y = L^{-1} P b, have
/// gone through lu_factor with the others.
/// Shapes  A: n x (n + nrhs); X: n x nrhs by columns
template <class T>
std::vector<T> back_substitute(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const LuPlan& plan);

}  // namespace overlapack::dense
