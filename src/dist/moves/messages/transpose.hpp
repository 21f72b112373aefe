#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dist {

/// B <- A^T by messages: each process packs what another one gets, which unpacks it.
/// Shapes  A: m x n; B: n x m, in any layout
/// Sync    collective over the ranks of both grids
/// Cost    a message between processes that share entries; a copy of them on either side
/// Source  paper 3, section 3.1: the block transpose by two-sided operations; there a process sends before it receives, here it
///         does not wait for its sends
template <class T>
void transpose(comm::Exchange& exchange, const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
               const comm::Key& key);

}  // namespace overlapack::dist
