#include "dense/lu/panel/panel_message.hpp"

#include "base/instantiate.hpp"
#include "dense/packed.hpp"

#include <algorithm>

namespace overlapack::dense {

template <class T>
std::size_t panel_head_bytes(Index width) {
  return static_cast<std::size_t>(width + 1) * sizeof(Index) +
         static_cast<std::size_t>(width * width) * sizeof(T);
}

template <class T>
void write_panel_head(const PanelFactor<T>& factor, Index width, std::byte* to) {
  Index* const pivots = reinterpret_cast<Index*>(to);
  std::ranges::copy(factor.pivots, pivots);
  pivots[width] = factor.zero_pivot;
  std::ranges::copy(factor.top, reinterpret_cast<T*>(pivots + width + 1));
}

template <class T>
Panel<T> panel_in_place(Index number, Index first, PanelFactor<T> factor, MatrixView<const T> below) {
  Panel<T> panel;
  panel.number = number;
  panel.first = first;
  panel.width = below.cols;
  panel.pivots = std::move(factor.pivots);
  panel.zero_pivot = factor.zero_pivot;
  panel.moves = dist::row_moves(first, panel.pivots);
  panel.top_body = comm::Body::adopt(std::move(factor.top));
  panel.top = packed_matrix<T>(panel.top_body, panel.width, panel.width);
  panel.below = below;
  return panel;
}

template <class T>
Panel<T> received_panel(Index number, Index first, Index width, dist::SentBlock<T> sent) {
  const Index* const pivots = reinterpret_cast<const Index*>(sent.head.data());
  Panel<T> panel;
  panel.number = number;
  panel.first = first;
  panel.width = width;
  panel.pivots.assign(pivots, pivots + width);
  panel.zero_pivot = pivots[width];
  panel.top = {reinterpret_cast<const T*>(pivots + width + 1), width, width, width};
  panel.below = sent.block;
  panel.moves = dist::row_moves(first, panel.pivots);
  panel.top_body = std::move(sent.head);
  panel.below_body = std::move(sent.body);
  return panel;
}

#define OVERLAPACK_INSTANTIATE(T)                                                      \
  template std::size_t panel_head_bytes<T>(Index);                                     \
  template void write_panel_head(const PanelFactor<T>&, Index, std::byte*);            \
  template Panel<T> panel_in_place(Index, Index, PanelFactor<T>, MatrixView<const T>); \
  template Panel<T> received_panel(Index, Index, Index, dist::SentBlock<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
