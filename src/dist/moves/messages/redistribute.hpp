#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dist {

/// Moves::redistribute.
/// Cost    one message from each process to each other one with which it has entries in common, each entry once; a copy on either
/// side;
///         packed messages need as much memory as the local part
template <class T>
void redistribute(comm::Exchange& exchange, const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
                  const comm::Key& key);

}  // namespace overlapack::dist
