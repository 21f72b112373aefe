#pragma once
#include "dense/factor_result.hpp"
#include "dense/lu/plan.hpp"
#include "kernels/gemm.hpp"

#include <span>
#include <vector>

namespace overlapack::dense {

/// Errors  BadPlan for a discipline, schedule, depth, search or interchange that does not go with the others, whatever the matrix
void require_built(const LuPlan& plan);

/// P A = L U with partial pivoting, L unit lower, both in A's place.
/// Shapes  A: m x n, square blocks; pivots: min(m, n) global row numbers from 0, row i was exchanged with pivots[i]; the
///         same on every rank; a phantom rank needs no room for them, and A's memory may be null
/// Sync    collective over the team; ranks outside of A's grid only take part in its barrier
/// Errors  BadPlan when the grid does not fit the schedule (parity without node mates, hybrid without helpers); none for
///         singular A: info tells
/// Source  paper 2; ScaLAPACK's pdgetrf for the meaning of the result
template <class T>
FactorResult lu_factor(comm::Rank& rank, const dist::DistributedMatrix<T>& A, std::span<Index> pivots,
                       const LuPlan& plan);

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
