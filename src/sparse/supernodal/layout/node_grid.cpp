#include "sparse/supernodal/layout/node_grid.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::supernodal {
namespace {

/// Node -> the last node with a variable of it in its list, which therefore updates it; -1: none.
std::vector<std::int32_t> last_givers(const NodeStructure& structure, const NodeLists& lists,
                                      std::span<const std::int32_t> node_of) {
  std::vector<std::int32_t> last(static_cast<std::size_t>(structure.nodes()), -1);
  for (Index k = 0; k < structure.nodes(); ++k)
    for (const std::int32_t v : lists(k)) last[node_of[v]] = static_cast<std::int32_t>(k);
  return last;
}

}  // namespace

/// Appends the list of processes other than `me` that own a node of `list`.
void NodeGrid::ProcessLists::add(std::span<const std::int32_t> list, std::span<const std::int32_t> node_of,
                                 int processes, int me) {
  std::vector<char> has(static_cast<std::size_t>(processes), 0);
  for (const std::int32_t v : list) has[node_of[v] % processes] = 1;
  for (int p = 0; p < processes; ++p)
    if (has[p] && p != me) process.push_back(p);
  start.push_back(static_cast<Index>(process.size()));
}

NodeGrid::NodeGrid(dist::ProcessGrid grid, int me)
    : grid_(std::move(grid)),
      is_member_(grid_.holds(me)),
      me_(is_member_ ? grid_.position_of(me) : dist::GridPosition{-1, -1}) {}

NodeGrid::NodeGrid(const NodeStructure& structure, dist::ProcessGrid grid, int me, Index eliminated,
                   ProgressRange range)
    : NodeGrid(std::move(grid), me) {
  eliminated_ = {eliminated};
  first_ = structure.first;
  width_ = structure.width;
  node_of_ = node_of_variable(structure);
  rows_ = NodeParts(structure, structure.rows, node_of_, me_.row, grid_.rows(), true);
  columns_ = NodeParts(structure, structure.columns, node_of_, me_.col, grid_.cols(), false);
  last_of_column_ = last_givers(structure, structure.columns, node_of_);
  last_of_row_ = last_givers(structure, structure.rows, node_of_);
  constexpr std::span<const std::int32_t> none;
  double all = 0, flops = 0;
  for (Index k = 0; k < nodes(); ++k) all += node_flops(structure, k);
  for (Index k = 0; k < nodes(); ++k) {
    const bool has_panels = in_column(k) || in_row(k);
    needing_rows_.add(has_panels ? structure.rows(k) : none, node_of_, grid_.rows(), me_.row);
    needing_columns_.add(has_panels ? structure.columns(k) : none, node_of_, grid_.cols(), me_.col);
    flops += node_flops(structure, k);
    share_until_.push_back(range.begin + (range.end - range.begin) * (all > 0 ? flops / all : 1));
  }
}

}  // namespace overlapack::sparse::supernodal
