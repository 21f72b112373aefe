#include "comm/engine/watched_operation.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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
  std::vector<std::string> texts;  // that differ
  std::size_t others = 0;
  for (const Request* r : requests) {
    if (!r || !r->pending()) continue;
    std::string text = describe(static_cast<const WatchedOperation&>(*r->operation()));
    if (std::ranges::find(texts, text) != texts.end()) continue;
    if (texts.size() < most)
      texts.push_back(std::move(text));
    else
      ++others;
  }
  if (others > 0) texts.push_back(std::to_string(others) + " more");
  for (int l = 0; l < lane_count; ++l)
    if (probes.has(static_cast<Lane>(l)))
      texts.push_back("any message on lane " + std::string(lane_names[static_cast<std::size_t>(l)]));
  std::string all;
  for (const std::string& text : texts) all.append(all.empty() ? "" : ", or ").append(text);
  return all;
}

}  // namespace overlapack::comm
