#include "sparse/supernodal/factors/state_packing.hpp"

#include "base/instantiate.hpp"
#include "overlapack/error.hpp"
#include "sparse/factors/packing.hpp"

#include <algorithm>
#include <span>

namespace overlapack::sparse::supernodal {
namespace {

struct GridSizes {
  int rows, columns, me;
};

/// Visits the arrays of a state without its panels, for packing and unpacking.
template <class AnyState, class Visit>
void for_each_array_of_nodes(AnyState& state, Visit&& visit) {
  SupernodalLayout::for_each_array(state.layout, visit);
  for (auto* const side : {&state.rows, &state.columns}) {
    visit(side->number);
    visit(side->scale);
  }
}

/// Visits the bytes of each panel on this rank.
template <class T, class Visit>
void for_each_panel(const NodeState<T>& state, Visit&& visit) {
  state.for_each_part([&](const LayoutPart& part, const RankPanels<T>& panels) {
    for (Index k = 0; k < part.nodes.nodes(); ++k)
      for (const auto* const panel : {&panels.lower[k], &panels.upper[k]})
        if (panel->values.data != nullptr)
          visit(
              std::span(reinterpret_cast<std::byte*>(panel->values.data),
                        panel_bytes<T>(panel->values.rows, panel->values.cols, panel->exchanges != nullptr)));
  });
}

}  // namespace

template <class T>
comm::Body pack(const NodeState<T>& state) {
  const dist::ProcessGrid& grid = state.layout.top.nodes.grid();
  Packing packing;
  packing.add_value(GridSizes{grid.rows(), grid.cols(), state.layout.me});
  packing.add_value(state.stats);
  for_each_array_of_nodes(state, [&](const auto& values) { packing.add(values); });
  for_each_panel(state, [&](std::span<const std::byte> panel) { packing.add(panel); });
  return std::move(packing).body();
}

template <class T>
std::unique_ptr<NodeState<T>> unpack_nodes(const comm::Body& body) {
  Unpacking unpacking(body);
  const auto sizes = unpacking.next_value<GridSizes>();
  dist::ProcessGrid grid(sizes.rows, sizes.columns, dist::GridOrder::row_major, sizes.rows * sizes.columns);
  auto state = std::make_unique<NodeState<T>>(SupernodalLayout(std::move(grid), sizes.me));
  state->stats = unpacking.next_value<FactorStats>();
  for_each_array_of_nodes(*state, [&](auto& values) { unpacking.read_into(values); });
  state->subtrees.allocate_panels(state->layout.subtrees.nodes, false);
  state->top.allocate_panels(state->layout.top.nodes, false);
  for_each_panel(*state, [&](std::span<std::byte> panel) {
    const auto values = unpacking.next<std::byte>();
    if (values.size() != panel.size())
      throw Error(Status::bad_input,
                  "a file holds a panel of another size than its lists say; save the factors again");
    std::ranges::copy(values, panel.begin());
  });
  return state;
}

#define OVERLAPACK_INSTANTIATE(T)                \
  template comm::Body pack(const NodeState<T>&); \
  template std::unique_ptr<NodeState<T>> unpack_nodes(const comm::Body&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::supernodal
