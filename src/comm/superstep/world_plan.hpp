#pragma once
#include "comm/mailbox/inbox.hpp"

#include <cstdint>

namespace overlapack::comm::superstep {

struct WorldPlan {
  /// Where processes share memory: hpput and hpget of at least so many bytes are copied once, directly from source to target.
  std::size_t direct_bytes = 4096;
  bool is_checked = false;       ///< sync_known also holds a census and compares the senders
  std::uint64_t queue_seed = 0;  ///< not 0: shuffle the queue with this seed, as BSPlib allows any order
  InboxOptions inbox{.posted = 8};
};

}  // namespace overlapack::comm::superstep
