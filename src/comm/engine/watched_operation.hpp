#pragma once
#include "comm/rank.hpp"

#include <string>

namespace overlapack::comm {

/// A send, receive or expected signal as the watchdog tells of it.
struct WatchedOperation : Operation {
  std::string_view what = "send";
  int peer = any_rank;
  Lane lane = Lane::user;
  std::int32_t kind = 0;
  std::size_t bytes = 0;
};

/// What a rank waits for, each request a WatchedOperation: "receive from rank 3 on lane bulk, or ...".
std::string describe(std::span<Request* const> requests, LaneSet probes);

}  // namespace overlapack::comm
