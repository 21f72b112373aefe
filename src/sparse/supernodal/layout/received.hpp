#pragma once
#include "comm/rank.hpp"
#include "sparse/supernodal/layout/message_kinds.hpp"

namespace overlapack::sparse::supernodal {

/// The body of a receive that is posted; blocks until it is here.
/// Errors  Internal: it is not that message of that node, with so many bytes
comm::Body received(comm::Rank& rank, comm::Recv receive, NodeMessage kind, Index k, std::size_t bytes);

}  // namespace overlapack::sparse::supernodal
