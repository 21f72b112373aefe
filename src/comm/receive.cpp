#include "comm/receive.hpp"

namespace overlapack::comm {

void wait(Rank& rank, Request& request) {
  Request* const only = &request;
  rank.wait_any({&only, 1});
}

Message receive(Rank& rank, Lane lane, int from) {
  Recv receive = rank.post_receive(lane, from);
  wait(rank, receive);
  return receive.take();
}

}  // namespace overlapack::comm
