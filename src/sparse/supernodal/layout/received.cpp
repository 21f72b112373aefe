#include "sparse/supernodal/layout/received.hpp"

#include "comm/receive.hpp"

#include <string>
#include <utility>

namespace overlapack::sparse::supernodal {

comm::Body receive_body(comm::Rank& rank, comm::Recv receive, NodeMessage kind, Index k, std::size_t bytes) {
  comm::wait(rank, receive);
  comm::Message message = receive.take();
  if (!(message.header.kind == kind) || message.header.id[0] != k || message.body.size() != bytes)
    throw Error(Status::internal, "rank " + std::to_string(message.source) + " sent a message of kind " +
                                      std::to_string(message.header.kind.number) + " for node " +
                                      std::to_string(message.header.id[0]) + ", where one of node " +
                                      std::to_string(k) + " was due");
  return std::move(message.body);
}

}  // namespace overlapack::sparse::supernodal
