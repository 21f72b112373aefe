#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dist/grid/distributed_matrix.hpp"
#include "kernels/gemm.hpp"

#include <functional>
#include <vector>

namespace overlapack::dense {

enum class Triangle : std::uint8_t { unit_lower, lower, upper };

/// X <- op(triangle of A)^{-1} X for an X that every process of the grid has. The vectors travel, the matrix stays: block k
/// is solved by the owner of A(k, k) from partial sums of its process row (op none) or column, and told to all.
/// Shapes  triangle: of A(0:n, 0:n); X: n x nrhs; move: of its Exchange keys, whose steps and parts are the sweep's
/// Sync    collective over the grid
/// Cost    n^2 nrhs flops; a block: log2 Q + log2 (P Q) messages of b nrhs words, one after the other
template <class T>
void triangular_sweep(comm::Exchange& exchange, const dist::DistributedMatrix<T>& A, Index n,
                      Triangle triangle, kernels::Op op, MatrixView<T> X, std::int32_t move);

/// Columns [c0, c1) of A, all of their rows, on every process of the grid.
/// Cost    a broadcast of each process's part
template <class T>
std::vector<T> replicated(comm::Exchange& exchange, const dist::DistributedMatrix<T>& A, dist::Global c0,
                          dist::Global c1, const comm::Key& key);

/// B <- solve(B) for a solve on columns that every process has, `columns` of them at a time.
/// Sync    collective over the team; ranks outside of the grid only take part in the barriers
template <class T>
void solve_by_columns(comm::Rank& rank, const dist::DistributedMatrix<T>& B, Index columns,
                      const comm::InboxOptions& inbox,
                      const std::function<void(comm::Exchange&, MatrixView<T>)>& solve);

/// The same for an X that every process of the grid has.
template <class T>
void solve_by_columns(comm::Rank& rank, const dist::ProcessGrid& grid, MatrixView<T> X, Index columns,
                      const comm::InboxOptions& inbox,
                      const std::function<void(comm::Exchange&, MatrixView<T>)>& solve);

}  // namespace overlapack::dense
