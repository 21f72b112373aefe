#include "sparse/supernodal/factors/traffic.hpp"

#include "base/instantiate.hpp"
#include "sparse/supernodal/factors/panels.hpp"

namespace overlapack::sparse::supernodal {

template <class T>
PanelTraffic panel_traffic(const SupernodalLayout& layout) {
  PanelTraffic sent;
  const auto add = [&](std::size_t receivers, std::size_t bytes) {
    sent.messages += static_cast<Index>(receivers);
    sent.bytes += static_cast<Index>(receivers * bytes);
  };
  const NodeGrid& nodes = layout.top.nodes;
  for (Index k = 0; k < nodes.nodes(); ++k) {
    const Index w = nodes.width(k);
    if (nodes.owns_diagonal(k)) add(nodes.rows_that_need(k).size(), panel_bytes<T>(w, w, true));
    if (nodes.has_lower(k))
      add(nodes.columns_that_need(k).size(), panel_bytes<T>(nodes.rows(k).size(), w, nodes.has_square(k)));
    if (nodes.has_upper(k))
      add(nodes.rows_that_need(k).size(), panel_bytes<T>(nodes.columns(k).size(), w, false));
  }
  const BorderLists::Side& border = layout.border.sent;
  for (int to = 0; to < border.ranks(); ++to)
    if (to != layout.me && !border.pieces(to).empty())
      add(1, static_cast<std::size_t>(entries_of(border.pieces(to))) * sizeof(T));
  return sent;
}

#define OVERLAPACK_INSTANTIATE(T) template PanelTraffic panel_traffic<T>(const SupernodalLayout&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::supernodal
