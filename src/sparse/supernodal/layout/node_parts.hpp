#pragma once
#include "sparse/analysis/columns/node_structure.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::supernodal {

/// The variables of one node in a list: positions begin .. end - 1.
struct Segment {
  std::int32_t node = 0;
  std::int32_t begin = 0, end = 0;
  std::int32_t size() const { return end - begin; }
};

/// Variables grouped by nodes, in elimination order.
struct NodePart {
  std::span<const std::int32_t> variable;
  std::span<const Segment> segments;

  Index size() const { return static_cast<Index>(variable.size()); }
  bool empty() const { return variable.empty(); }
  std::span<const std::int32_t> variables_in(const Segment& segment) const {
    return variable.subspan(static_cast<std::size_t>(segment.begin),
                            static_cast<std::size_t>(segment.size()));
  }
};

/// The part of each list that one process row (or column) owns: the variables of its nodes.
class NodeParts {
 public:
  NodeParts() = default;
  /// process, of `processes`: node k belongs to k mod processes. with_squares: a node's own variables precede its list.
  NodeParts(const NodeStructure& structure, const NodeLists& lists, std::span<const std::int32_t> node_of,
            int process, int processes, bool with_squares);

  NodePart operator()(Index node) const {
    const Index v = variable_start_[node], s = segment_start_[node];
    return {{variable_.data() + v, static_cast<std::size_t>(variable_start_[node + 1] - v)},
            {segment_.data() + s, static_cast<std::size_t>(segment_start_[node + 1] - s)}};
  }

  /// Visits each array once, for packing and unpacking.
  template <class AnyParts, class Visit>
  static void for_each_array(AnyParts& parts, Visit&& visit) {
    visit(parts.variable_start_);
    visit(parts.segment_start_);
    visit(parts.variable_);
    visit(parts.segment_);
  }

 private:
  std::vector<Index> variable_start_{0}, segment_start_{0};
  std::vector<std::int32_t> variable_;
  std::vector<Segment> segment_;
};

/// Looks up the positions of variables in one part.
class PositionMap {
 public:
  explicit PositionMap(Index order) : position_(static_cast<std::size_t>(order), -1) {}

  /// Loads the variables of a part, which must live until the next call.
  void set_variables(std::span<const std::int32_t> variables);
  /// position <- positions of `variables` in the part.
  /// Errors  Internal: one is not there; the lists are closed under elimination, so none is missing
  void find(std::span<const std::int32_t> variables, std::int32_t* position) const;

 private:
  std::vector<std::int32_t> position_;
  std::span<const std::int32_t> loaded_;
};

/// position <- positions in a part of ascending variables of one node.
/// Errors  as PositionMap::find
void find_positions(const NodePart& part, std::int32_t node, std::span<const std::int32_t> variables,
                    std::int32_t* position);

}  // namespace overlapack::sparse::supernodal
