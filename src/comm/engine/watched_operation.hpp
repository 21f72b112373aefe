#pragma once
#include "comm/rank.hpp"

#include <string>

namespace overlapack::comm {

/// A send, a receive or an expected signal, with what the watchdog reports of it. All operations of the engines derive from it.
struct WatchedOperation : Operation {
  std::string_view what = "send";
  int peer = any_rank;
  Lane lane = Lane::user;
  std::int32_t kind = 0;
  std::size_t bytes = 0;
};

/// Text of what a rank waits for: "receive from rank 3 on lane bulk, or ..."; each request is a WatchedOperation.
std::string describe(std::span<Request* const> requests, LaneSet probes);

}  // namespace overlapack::comm
