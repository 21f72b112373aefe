#include "sparse/supernodal/layout/solve_lists.hpp"

#include <utility>

namespace overlapack::sparse::supernodal {

namespace {

SolveLists::Half half_of(const NodeGrid& nodes, const NodeStructure& structure, bool is_lower) {
  const auto count = static_cast<std::size_t>(structure.nodes());
  const auto processes = static_cast<std::size_t>(is_lower ? nodes.grid().cols() : nodes.grid().rows());
  const NodeLists& lists = is_lower ? structure.rows : structure.columns;
  SolveLists::Half half{{0}, {}, std::vector<std::int32_t>(count, -1)};
  std::vector<char> gives(count * processes, 0);
  for (Index k = 0; k < structure.nodes(); ++k) {
    const bool is_mine = is_lower ? nodes.in_column(k) : nodes.in_row(k);
    const auto giver = static_cast<std::size_t>(is_lower ? nodes.column_of(k) : nodes.row_of(k));
    std::int32_t before = -1;
    for (const std::int32_t v : lists(k)) {
      const std::int32_t node = nodes.node_of(v);
      if (std::exchange(before, node) == node) continue;
      gives[static_cast<std::size_t>(node) * processes + giver] = nodes.owns_diagonal(node);
      if (is_mine && (is_lower ? nodes.in_row(node) : nodes.in_column(node)))
        half.last[node] = static_cast<std::int32_t>(k);
    }
  }
  for (std::size_t node = 0; node < count; ++node) {
    for (std::size_t p = 0; p < processes; ++p)
      if (gives[node * processes + p]) half.giver.push_back(static_cast<std::int32_t>(p));
    half.start.push_back(static_cast<Index>(half.giver.size()));
  }
  return half;
}

}  // namespace

SolveLists solve_lists(const NodeGrid& nodes, const NodeStructure& structure) {
  return {half_of(nodes, structure, true), half_of(nodes, structure, false)};
}

}  // namespace overlapack::sparse::supernodal
