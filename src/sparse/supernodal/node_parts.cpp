#include "sparse/supernodal/node_parts.hpp"

#include "overlapack/error.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace overlapack::sparse {

NodeParts::NodeParts(const NodeStructure& structure, const NodeLists& lists,
                     std::span<const std::int32_t> node_of, int process, int processes, bool with_squares) {
  for (Index k = 0; k < structure.nodes(); ++k) {
    const Index begin = variable_start_.back();
    const auto add = [&](std::int32_t node, std::int32_t v) {
      if (node % processes != process) return;
      const auto place = static_cast<std::int32_t>(static_cast<Index>(variable_.size()) - begin);
      if (static_cast<Index>(segment_.size()) == segment_start_.back() || segment_.back().node != node)
        segment_.push_back({node, place, place});
      variable_.push_back(v);
      segment_.back().end = place + 1;
    };
    if (with_squares)
      for (std::int32_t v = 0; v < structure.width[k]; ++v)
        add(static_cast<std::int32_t>(k), structure.first[k] + v);
    for (const std::int32_t v : lists(k)) add(node_of[v], v);
    variable_start_.push_back(static_cast<Index>(variable_.size()));
    segment_start_.push_back(static_cast<Index>(segment_.size()));
  }
}

void find_places(const NodePart& part, std::int32_t node, std::span<const std::int32_t> variables,
                 std::int32_t* place) {
  const auto segment = std::ranges::lower_bound(part.segments, node, {}, &Segment::node);
  const auto missing = [&] {
    return Error(ErrorKind::internal, "supernodal",
                 "an update of node " + std::to_string(node) + " has no place in the lists");
  };
  if (segment == part.segments.end() || segment->node != node) throw missing();
  const std::span<const std::int32_t> held = part.of(*segment);
  const std::int32_t first = variables.front() - held.front();
  if (first >= 0 && held.back() - held.front() + 1 == segment->size() && variables.back() <= held.back()) {
    for (const std::int32_t v : variables) *place++ = segment->begin + v - held.front();  // held without gaps
    return;
  }
  auto at = held.begin();
  for (const std::int32_t v : variables) {
    while (at != held.end() && *at < v) ++at;
    if (at == held.end() || *at != v) throw missing();
    *place++ = segment->begin + static_cast<std::int32_t>(at - held.begin());
  }
}

}  // namespace overlapack::sparse
