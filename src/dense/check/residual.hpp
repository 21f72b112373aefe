#pragma once
#include "dense/check/column_source.hpp"
#include "kernels/sparse/dense_residual.hpp"

namespace overlapack::dense {

/// R <- R - op(A) X, summed in a longer format, and W <- W + |op(A)| |X|, on rank 0.
/// Shapes  op(A): m x n; X: n x k, the same on every rank; R, W: m x k, on rank 0, ignored elsewhere
/// Sync    collective over the team; ranks outside of A's grid have an empty part of it
/// Cost    2 m n k / p multiply-adds, two reductions of m k
template <class T>
void residual(comm::Rank& rank, kernels::Op op, const dist::DistributedMatrix<T>& A, ColumnSource<T> columns,
              MatrixView<const T> X, MatrixView<kernels::WideScalar<T>> R, MatrixView<Real<T>> W);

}  // namespace overlapack::dense
