#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dist {

/// Moves::redistribute.
/// Cost    one message from each owner in A to each in B with which it shares entries, each entry once; a copy on
///         either side; the packed messages hold as much as the local part
template <class T>
void redistribute(comm::Exchange& exchange, const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
                  const comm::Key& key);

}  // namespace overlapack::dist
