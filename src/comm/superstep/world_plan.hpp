#pragma once
#include "comm/mailbox/inbox.hpp"

#include <cstdint>

namespace overlapack::comm::superstep {

struct WorldPlan {
  /// Between processes that share memory, hpput and hpget of at least this many bytes copy once, directly from source to target.
  std::size_t direct_bytes = 4096;
  bool is_checked = false;  ///< sync_known also holds a census and compares the senders
  /// Not 0: for tests, shuffle the queue with this seed, as BSPlib allows any order
  std::uint64_t queue_seed = 0;
  InboxOptions inbox{.posted = 8};
};

}  // namespace overlapack::comm::superstep
