#include "sparse/supernodal/factors/panels.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::sparse::supernodal {

namespace {

/// Lays out zeroed panels of nodes first .. last.
template <class T>
void lay_out_panels(RankPanels<T>& panels, std::shared_ptr<Arena>& memory, const NodeGrid& nodes, Index first,
                    Index last, bool is_phantom) {
  const auto for_each = [&](auto&& visit) {
    for (Index k = first; k < last; ++k) {
      if (nodes.has_lower(k)) visit(panels.lower[k], k, nodes.rows(k).size(), nodes.has_square(k));
      if (nodes.has_upper(k)) visit(panels.upper[k], k, nodes.columns(k).size(), false);
    }
  };
  if (!memory) {
    std::size_t bytes = 0;
    for_each([&](NodePanel<T>&, Index k, Index rows, bool has_square) {
      bytes += Arena::room_for(panel_bytes<T>(rows, nodes.width(k), has_square));
    });
    memory = std::make_shared<Arena>(bytes + 64, is_phantom ? Pages::small : Pages::huge);
  }
  memory->clear();
  for_each([&](NodePanel<T>& panel, Index k, Index rows, bool has_square) {
    std::byte* const data =
        memory->template zeros<std::byte>(panel_bytes<T>(rows, nodes.width(k), has_square));
    panel = panel_at<T>(data, rows, nodes.width(k), has_square);
  });
}

}  // namespace

template <class T>
void RankPanels<T>::allocate_panels(const NodeGrid& nodes, bool is_phantom) {
  lower.assign(static_cast<std::size_t>(nodes.nodes_with_border()), {});
  upper = lower;
  lay_out_panels(*this, memory, nodes, 0, nodes.nodes(), is_phantom);
}

template <class T>
void RankPanels<T>::allocate_border_nodes(const NodeGrid& nodes, bool is_phantom) {
  lay_out_panels(*this, border_memory, nodes, nodes.nodes(), nodes.nodes_with_border(), is_phantom);
}

template <class T>
void RankPanels<T>::free_border_nodes(const NodeGrid& nodes) {
  for (auto* const side : {&lower, &upper})
    std::fill(side->begin() + nodes.nodes(), side->end(), NodePanel<T>{});
  border_memory.reset();
}

template <class T>
comm::Body RankPanels<T>::body(const NodePanel<T>& panel, bool is_phantom) const {
  const std::size_t bytes = panel_bytes<T>(panel.values.rows, panel.values.cols, panel.exchanges != nullptr);
  return is_phantom ? comm::Body::phantom(bytes) : comm::Body(memory, panel.values.data, bytes);
}

#define OVERLAPACK_INSTANTIATE(T) template struct RankPanels<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::supernodal
