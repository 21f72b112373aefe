#include "sparse/supernodal/layout/node_parts.hpp"

#include "overlapack/error.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace overlapack::sparse::supernodal {
namespace {

[[noreturn]] void refuse_update(const std::string& of) {
  throw Error(Status::internal, "an update of " + of + " has no place in the lists");
}

}  // namespace

NodeParts::NodeParts(const NodeStructure& structure, const NodeLists& lists,
                     std::span<const std::int32_t> node_of, int process, int processes, bool with_squares) {
  for (Index k = 0; k < structure.nodes(); ++k) {
    const Index begin = variable_start_.back();
    std::int32_t present = -1;  // the node of the variable before, mine or not
    bool is_mine = false;
    const auto add = [&](std::int32_t node, std::int32_t v) {
      const auto position = static_cast<std::int32_t>(static_cast<Index>(variable_.size()) - begin);
      if (node != present) {
        present = node;
        is_mine = node % processes == process;
        if (is_mine) segment_.push_back({node, position, position});
      }
      if (!is_mine) return;
      variable_.push_back(v);
      segment_.back().end = position + 1;
    };
    if (with_squares)
      for (std::int32_t v = 0; v < structure.width[k]; ++v)
        add(static_cast<std::int32_t>(k), structure.first[k] + v);
    for (const std::int32_t v : lists(k)) add(node_of[v], v);
    variable_start_.push_back(static_cast<Index>(variable_.size()));
    segment_start_.push_back(static_cast<Index>(segment_.size()));
  }
}

void PositionMap::set_variables(std::span<const std::int32_t> variables) {
  for (const std::int32_t v : loaded_) position_[v] = -1;
  loaded_ = variables;
  std::int32_t position = 0;
  for (const std::int32_t v : loaded_) position_[v] = position++;
}

void PositionMap::find(std::span<const std::int32_t> variables, std::int32_t* position) const {
  std::int32_t all = 0;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    position[i] = position_[variables[i]];
    all |= position[i];
  }
  if (all < 0) refuse_update("a node of variable " + std::to_string(variables.front()));
}

void find_positions(const NodePart& part, std::int32_t node, std::span<const std::int32_t> variables,
                    std::int32_t* position) {
  const auto segment = std::ranges::lower_bound(part.segments, node, {}, &Segment::node);
  const auto refuse = [&] { refuse_update("node " + std::to_string(node)); };
  if (segment == part.segments.end() || segment->node != node) refuse();
  const std::span<const std::int32_t> held = part.variables_in(*segment);
  const std::int32_t first = variables.front() - held.front();
  if (first >= 0 && held.back() - held.front() + 1 == segment->size() && variables.back() <= held.back()) {
    for (const std::int32_t v : variables)
      *position++ = segment->begin + v - held.front();  // held without gaps
    return;
  }
  auto at = held.begin();
  for (const std::int32_t v : variables) {
    while (at != held.end() && *at < v) ++at;
    if (at == held.end() || *at != v) refuse();
    *position++ = segment->begin + static_cast<std::int32_t>(at - held.begin());
  }
}

}  // namespace overlapack::sparse::supernodal
