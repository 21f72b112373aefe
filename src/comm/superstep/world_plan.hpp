#pragma once
#include "comm/mailbox/inbox.hpp"

#include <cstdint>

namespace overlapack::comm::superstep {

struct WorldPlan {
  /// Where processes share memory: hpput and hpget of so many bytes are copied once, from the source to its position.
  std::size_t direct_bytes = 4096;
  bool is_checked = false;  ///< sync_known asks everybody, and compares
  std::uint64_t queue_seed =
      0;  ///< else messages stand in the queue in an order of this seed, as BSPlib allows
  InboxOptions inbox{.posted = 8};
};

}  // namespace overlapack::comm::superstep
