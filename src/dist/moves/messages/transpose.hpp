#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dist {

/// B <- A^T by messages, packed by the sender and unpacked by the receiver.
/// Shapes  A: m x n; B: n x m, in any layout
/// Sync    collective over the ranks of both grids
/// Cost    a message for each pair of processes with common entries; a copy on either side
/// Source  paper 3, section 3.1: the block transpose by two-sided operations; there a process completes its sends before it
///         receives, here it does not wait for them
template <class T>
void transpose(comm::Exchange& exchange, const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
               const comm::Key& key);

}  // namespace overlapack::dist
