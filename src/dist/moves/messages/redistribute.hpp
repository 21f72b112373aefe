#pragma once
#include "comm/mailbox/exchange.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dist {

/// Moves::redistribute.
/// Cost    one message from each owner in A to each owner in B of common entries, each entry once; a copy on either side; packed
///         messages need as much memory as the local part
template <class T>
void redistribute(comm::Exchange& exchange, const DistributedMatrix<T>& A, const DistributedMatrix<T>& B,
                  const comm::Key& key);

}  // namespace overlapack::dist
