#include "dense/lu/panel_message.hpp"

#include "base/instantiate.hpp"
#include "dense/packed.hpp"
#include "kernels/operand.hpp"

#include <algorithm>
#include <complex>
#include <cstring>

namespace overlapack::dense {
namespace {

/// Where the parts of a panel's message begin, in bytes.
struct Layout {
  std::size_t top, below, end;
};

template <class T>
Layout layout(Index width, Index rows_below) {
  const std::size_t top = static_cast<std::size_t>(width + 1) * sizeof(Index);
  const std::size_t below = top + static_cast<std::size_t>(width * width) * sizeof(T);
  return {top, below, below + static_cast<std::size_t>(padded_ld(rows_below) * width) * sizeof(T)};
}

}  // namespace

template <class T>
std::size_t panel_bytes(Index width, Index rows_below) {
  return layout<T>(width, rows_below).end;
}

template <class T>
comm::Body packed_panel(const PanelFactor<T>& factor, MatrixView<const T> below) {
  const Index width = below.cols;
  const Layout at = layout<T>(width, below.rows);
  std::vector<std::byte> bytes(at.end);
  std::memcpy(bytes.data(), factor.pivots.data(), static_cast<std::size_t>(width) * sizeof(Index));
  std::memcpy(bytes.data() + static_cast<std::size_t>(width) * sizeof(Index), &factor.zero_pivot,
              sizeof(Index));
  std::memcpy(bytes.data() + at.top, factor.top.data(), at.below - at.top);
  T* to = reinterpret_cast<T*>(bytes.data() + at.below);
  for (Index j = 0; j < width; ++j) std::copy_n(below.column(j), below.rows, to + j * padded_ld(below.rows));
  return comm::Body::adopt(std::move(bytes));
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
  panel.body = comm::Body::adopt(std::move(factor.top));
  panel.top = packed_matrix<T>(panel.body, panel.width, panel.width);
  panel.below = below;
  return panel;
}

template <class T>
Panel<T> unpacked_panel(Index number, Index first, Index width, Index rows_below, comm::Body body) {
  const Layout at = layout<T>(width, rows_below);
  const std::byte* data = body.data();
  Panel<T> panel;
  panel.number = number;
  panel.first = first;
  panel.width = width;
  const Index* pivots = reinterpret_cast<const Index*>(data);
  panel.pivots.assign(pivots, pivots + width);
  panel.zero_pivot = pivots[width];
  panel.top = {reinterpret_cast<const T*>(data + at.top), width, width, width};
  panel.below = {reinterpret_cast<const T*>(data + at.below), rows_below, width, padded_ld(rows_below)};
  panel.moves = dist::row_moves(first, panel.pivots);
  panel.body = std::move(body);
  return panel;
}

#define OVERLAPACK_INSTANTIATE(T)                                                      \
  template std::size_t panel_bytes<T>(Index, Index);                                   \
  template comm::Body packed_panel(const PanelFactor<T>&, MatrixView<const T>);        \
  template Panel<T> panel_in_place(Index, Index, PanelFactor<T>, MatrixView<const T>); \
  template Panel<T> unpacked_panel(Index, Index, Index, Index, comm::Body);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
