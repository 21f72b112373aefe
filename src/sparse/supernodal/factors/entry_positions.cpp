#include "sparse/supernodal/factors/entry_positions.hpp"

#include "base/instantiate.hpp"

#include <numeric>

namespace overlapack::sparse::supernodal {
namespace {

/// position[e] <- address of entry e of B in its panel, for the entries of this part. Works panel after
/// panel, so that the variables of each are looked up in one list.
/// is_of_part(e): whether entry e is of this part
template <class T, class IsOfPart>
void find_entry_positions(const LayoutPart& part, RankPanels<T>& panels, const EntryList<T>& list,
                          Index order_of_B, IsOfPart&& is_of_part, std::vector<T*>& position) {
  const NodeGrid& nodes = part.nodes;
  std::vector<std::int32_t> number(static_cast<std::size_t>(order_of_B), -1);
  for (std::size_t i = 0; i < part.variable.size(); ++i)
    number[part.variable[i]] = static_cast<std::int32_t>(i);
  const auto count = static_cast<std::size_t>(nodes.nodes());  // panels of L, then those of U
  const auto panel_of = [&](std::size_t e) {
    const std::int32_t I = nodes.node_of(number[list.row[e]]), J = nodes.node_of(number[list.col[e]]);
    return I >= J ? static_cast<std::size_t>(J) : count + static_cast<std::size_t>(I);
  };
  const auto for_each_entry = [&](auto&& visit) {
    for (std::size_t e = 0; e < list.value.size(); ++e)
      if (is_of_part(e)) visit(e);
  };
  std::vector<std::size_t> start(2 * count + 1);
  for_each_entry([&](std::size_t e) { ++start[panel_of(e) + 1]; });
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::size_t> next(start.begin(), start.end() - 1), order(start.back());
  for_each_entry([&](std::size_t e) { order[next[panel_of(e)]++] = e; });

  PositionMap map(nodes.order());
  for (std::size_t p = 0; p < 2 * count; ++p) {
    if (start[p] == start[p + 1]) continue;
    const bool is_lower = p < count;
    const auto k = static_cast<Index>(is_lower ? p : p - count);
    const auto &tall = is_lower ? list.row : list.col, &narrow = is_lower ? list.col : list.row;
    const MatrixView<T> panel = panels.side(is_lower, k).values;
    map.set_variables((is_lower ? nodes.rows(k) : nodes.columns(k)).variable);
    for (std::size_t at = start[p]; at < start[p + 1]; ++at) {
      const std::size_t e = order[at];
      std::int32_t row = 0;
      map.find({&number[tall[e]], 1}, &row);
      position[e] = &panel(row, number[narrow[e]] - nodes.first(k));
    }
  }
}

}  // namespace

template <class T>
std::vector<T*> entry_positions(NodeState<T>& state, const EntryList<T>& list) {
  const auto& home = state.layout.home;
  const auto is_of_subtree = [&](std::size_t e) { return home[list.row[e]] < 0 || home[list.col[e]] < 0; };
  const auto order = static_cast<Index>(home.size());
  std::vector<T*> position(list.value.size());
  find_entry_positions(state.layout.subtrees, state.subtrees, list, order, is_of_subtree, position);
  find_entry_positions(
      state.layout.top, state.top, list, order, [&](std::size_t e) { return !is_of_subtree(e); }, position);
  return position;
}

#define OVERLAPACK_INSTANTIATE(T) \
  template std::vector<T*> entry_positions(NodeState<T>&, const EntryList<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::supernodal
