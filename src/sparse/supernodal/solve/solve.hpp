#pragma once
#include "comm/rank.hpp"
#include "kernels/product/gemm.hpp"
#include "sparse/supernodal/factors/state.hpp"

namespace overlapack::sparse::supernodal {

/// X <- op(A)^{-1} B. Each rank sweeps its own subtrees forward before the nodes above them, and backward
/// after them. In the nodes above, the square's owner solves for a node's part and sends it to the owners of
/// the node's panels; their updates of other parts are summed by process rows (transposed: columns). Every
/// rank takes the nodes in order, for the same bits in each run. Sends never wait, and receives are posted
/// before anything is known of the messages.
/// Shapes  b, x: n x nrhs on rank 0
template <class T>
void solve(comm::Rank& rank, const NodeState<T>& state, kernels::Op op, const T* b, T* x, Index nrhs);

}  // namespace overlapack::sparse::supernodal
