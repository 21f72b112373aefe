#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dist {

/// B <- A, the same matrix in another layout: other grid, other blocks, other sources. A grid of one process gathers
/// to it or scatters from it.
/// Shapes  A, B: m x n; their memories do not overlap. On a rank that has no place in a grid, that matrix has no local
///         part and its `me` is not looked at.
/// Sync    collective over the ranks of both grids: every rank that has a place in one of them calls, with the same
///         layouts; returns when my part of B is complete
/// Cost    one message from each owner in A to each in B with which it shares entries, each entry once; a copy on
///         either side; the packed messages hold as much as the local part
/// Errors  BadInput if A and B differ in m or n
template <class T>
void redistribute(comm::Exchange& exchange, const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
                  const comm::Key& key);

}  // namespace overlapack::dist
