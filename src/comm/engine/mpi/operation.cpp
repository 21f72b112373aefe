#include "comm/engine/mpi/operation.hpp"

namespace overlapack::comm::mpi {

namespace {

std::string name(Lane lane) {
  constexpr std::array<const char*, lane_count> names{"control",    "load",    "bulk",
                                                      "collective", "channel", "user"};
  return names[static_cast<std::size_t>(lane)];
}

}  // namespace

std::string describe(const MpiOperation& o) {
  std::string text = std::string(o.what) + (o.what == "send" ? " to " : " from ") +
                     (o.peer == any_rank ? "any rank" : "rank " + std::to_string(o.peer));
  if (o.what != "signal") text += " on lane " + name(o.lane);
  if (o.what == "send")
    text += ", kind " + std::to_string(o.kind) + ", " + std::to_string(o.bytes) + " bytes";
  return text;
}

std::string describe(std::span<Request* const> requests, LaneSet probes) {
  constexpr std::size_t most = 8;
  std::string text;
  std::size_t pending = 0;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", or ") + what; };
  for (const Request* r : requests)
    if (r && r->pending() && ++pending <= most)
      add(describe(static_cast<const MpiOperation&>(*r->operation())));
  if (pending > most) add(std::to_string(pending - most) + " more");
  for (int l = 0; l < lane_count; ++l)
    if (probes.has(static_cast<Lane>(l))) add("any message on lane " + name(static_cast<Lane>(l)));
  return text;
}

}  // namespace overlapack::comm::mpi
