#include "dist/grid/process_grid.hpp"
#include "overlapack/error.hpp"

#include <map>

namespace overlapack::dist {

namespace {

/// Grid positions of each node's ranks, row by row.
using Nodes = std::map<int, std::vector<GridPosition>>;
Nodes nodes_of(const ProcessGrid& grid, std::span<const int> node_of) {
  Nodes nodes;
  for (int p = 0; p < grid.rows(); ++p)
    for (int q = 0; q < grid.cols(); ++q)
      nodes[node_of[static_cast<std::size_t>(grid.rank_at(p, q))]].push_back({p, q});
  return nodes;
}

[[noreturn]] void refuse_layout(const ProcessGrid& grid, int node, std::size_t ranks,
                                const std::string& what) {
  throw Error(Status::bad_plan, "in a process grid of " + std::to_string(grid.rows()) + " x " +
                                    std::to_string(grid.cols()) + ", node " + std::to_string(node) + " has " +
                                    std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks") + what);
}

/// The axis along which these positions are consecutive; none if there is none.
NodeAxis common_axis_of(const std::vector<GridPosition>& positions) {
  const auto follow = [&](int row_step, int col_step) {
    for (std::size_t i = 1; i < positions.size(); ++i)
      if (positions[i].row - positions[i - 1].row != row_step ||
          positions[i].col - positions[i - 1].col != col_step)
        return false;
    return true;
  };
  return follow(0, 1) ? NodeAxis::row : follow(1, 0) ? NodeAxis::column : NodeAxis::none;
}

}  // namespace

NodeLayout node_layout(const ProcessGrid& grid, std::span<const int> node_of) {
  const Nodes nodes = nodes_of(grid, node_of);
  const auto& [first, first_positions] = *nodes.begin();
  const std::size_t phases = first_positions.size();
  if (phases == 1 && nodes.size() == static_cast<std::size_t>(grid.size())) return {};
  const NodeAxis axis = common_axis_of(first_positions);
  for (const auto& [node, positions] : nodes) {
    if (positions.size() != phases)
      refuse_layout(grid, node, positions.size(),
                    " and node " + std::to_string(first) + " has " + std::to_string(phases) +
                        "; choose a grid that takes equally many ranks of each node");
    if (common_axis_of(positions) == NodeAxis::none)
      refuse_layout(
          grid, node, phases,
          " that lie side by side neither in a process row nor in a process column; choose Q (row-major) "
          "or P (column-major) as a multiple of the ranks a node");
    if (common_axis_of(positions) != axis)
      refuse_layout(grid, node, phases,
                    " side by side along another axis than those of node " + std::to_string(first) +
                        "; place the ranks of all nodes alike");
  }
  return {.axis = axis, .phases = static_cast<int>(phases)};
}

}  // namespace overlapack::dist
