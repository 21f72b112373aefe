#pragma once
#include "comm/rank.hpp"
#include "kernels/product/gemm.hpp"
#include "sparse/supernodal/factors/state.hpp"

namespace overlapack::sparse::supernodal {

/// X <- op(A)^{-1} B. Subtrees are solved for by their ranks before, and after, what is above them. There the square's owner solves for a node's part, sends it to the panels of the node, and what they subtract from
/// other parts is summed by process rows (transposed: columns). Nodes in their order on every rank, so that the same ranks give the
/// same bits; sends never wait, and receives are posted before anything is known of the messages.
/// Shapes  b, x: n x nrhs on rank 0
template <class T>
void solve(comm::Rank& rank, const NodeState<T>& state, kernels::Op op, const T* b, T* x, Index nrhs);

}  // namespace overlapack::sparse::supernodal
