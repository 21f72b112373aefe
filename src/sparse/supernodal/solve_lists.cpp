#include "sparse/supernodal/solve_lists.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse {

SolveLists solve_lists(const NodeGrid& nodes, const NodeStructure& structure) {
  const auto count = static_cast<std::size_t>(nodes.nodes());
  SolveLists lists{{std::vector<std::vector<std::int32_t>>(count), std::vector<std::int32_t>(count, -1)}, {}};
  lists.upper = lists.lower;
  for (Index k = 0; k < nodes.nodes(); ++k)
    for (const bool is_lower : {true, false}) {
      SolveLists::Half& half = is_lower ? lists.lower : lists.upper;
      const NodeLists& all = is_lower ? structure.rows : structure.columns;
      const bool is_mine = is_lower ? nodes.in_column(k) : nodes.in_row(k);
      const int giver = is_lower ? nodes.column_of(k) : nodes.row_of(k);
      std::int32_t before = -1;
      for (const std::int32_t v : all(k)) {
        const std::int32_t node = nodes.node_of(v);
        if (std::exchange(before, node) == node) continue;
        auto& givers = half.givers[node];
        if (nodes.owns_diagonal(node) && std::ranges::find(givers, giver) == givers.end())
          givers.push_back(giver);
        if (is_mine && (is_lower ? nodes.in_row(node) : nodes.in_column(node)))
          half.last[node] = static_cast<std::int32_t>(k);
      }
    }
  for (SolveLists::Half* half : {&lists.lower, &lists.upper})
    for (auto& givers : half->givers) std::ranges::sort(givers);
  return lists;
}

}  // namespace overlapack::sparse
