#include "comm/engine/watched_operation.hpp"

namespace overlapack::comm {

namespace {

std::string describe(const WatchedOperation& o) {
  std::string text = std::string(o.what) + (o.what == "send" ? " to " : " from ") +
                     (o.peer == any_rank ? "any rank" : "rank " + std::to_string(o.peer));
  if (o.what != "signal") text.append(" on lane ").append(lane_names[static_cast<std::size_t>(o.lane)]);
  if (o.what == "send")
    text += ", kind " + std::to_string(o.kind) + ", " + std::to_string(o.bytes) + " bytes";
  return text;
}

}  // namespace

std::string describe(std::span<Request* const> requests, LaneSet probes) {
  constexpr std::size_t most = 8;
  std::string text;
  std::size_t pending = 0;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", or ") + what; };
  for (const Request* r : requests)
    if (r && r->pending() && ++pending <= most)
      add(describe(static_cast<const WatchedOperation&>(*r->operation())));
  if (pending > most) add(std::to_string(pending - most) + " more");
  for (int l = 0; l < lane_count; ++l)
    if (probes.has(static_cast<Lane>(l)))
      add("any message on lane " + std::string(lane_names[static_cast<std::size_t>(l)]));
  return text;
}

}  // namespace overlapack::comm
