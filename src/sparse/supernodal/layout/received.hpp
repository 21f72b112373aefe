#pragma once
#include "comm/rank.hpp"
#include "sparse/supernodal/layout/message_kinds.hpp"

namespace overlapack::sparse::supernodal {

/// The body of a posted receive; blocks until it has arrived.
/// Errors  Internal: it is not a message of this kind, node and size
comm::Body receive_body(comm::Rank& rank, comm::Recv receive, NodeMessage kind, Index k, std::size_t bytes);

}  // namespace overlapack::sparse::supernodal
