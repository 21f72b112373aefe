#pragma once
#include "base/arena.hpp"
#include "base/matrix_view.hpp"
#include "comm/message.hpp"
#include "sparse/supernodal/layout/node_grid.hpp"

#include <memory>
#include <type_traits>
#include <vector>

namespace overlapack::sparse::supernodal {

/// The part of a block column of L that one process row has, or of a block row of U, transposed, that one
/// process column has. It is sent without packing.
template <class T>
struct NodePanel {
  using Positions = std::conditional_t<std::is_const_v<T>, const std::int32_t, std::int32_t>;
  using Bytes = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;

  /// L: its rows are NodeGrid::rows(k), the square first; U^T: its rows are columns(k).
  MatrixView<T> values;
  /// Behind the values in memory: row order, then column order of the square; null if there is no square.
  Positions* exchanges = nullptr;

  std::span<Positions> row_order() const { return {exchanges, static_cast<std::size_t>(values.cols)}; }
  std::span<Positions> column_order() const {
    return {exchanges + values.cols, static_cast<std::size_t>(values.cols)};
  }
};

/// Bytes of a panel, with the two orders of its square if it has one.
template <class T>
std::size_t panel_bytes(Index rows, Index width, bool has_square) {
  const std::size_t values = static_cast<std::size_t>(padded_ld(rows) * width) * sizeof(T);
  return values + (has_square ? static_cast<std::size_t>(2 * width) * sizeof(std::int32_t) : 0);
}

/// View of these bytes as a panel.
template <class T>
NodePanel<T> panel_at(typename NodePanel<T>::Bytes* data, Index rows, Index width, bool has_square) {
  NodePanel<T> panel{{reinterpret_cast<T*>(data), rows, width, padded_ld(rows)}, nullptr};
  if (has_square)
    panel.exchanges =
        reinterpret_cast<typename NodePanel<T>::Positions*>(data + panel_bytes<T>(rows, width, false));
  return panel;
}

/// All panels of a rank. Their addresses stay the same in refactorize.
template <class T>
struct RankPanels {
  std::shared_ptr<Arena> memory, border_memory;
  std::vector<NodePanel<T>> lower, upper;  ///< node -> its panel; empty if another rank has it

  /// Zeroed panels of all nodes except those of the border.
  void allocate_panels(const NodeGrid& nodes, bool is_phantom);
  /// Zeroed panels of the border nodes, from before the subtrees are eliminated until their updates are sent.
  void allocate_border_nodes(const NodeGrid& nodes, bool is_phantom);
  void free_border_nodes(const NodeGrid& nodes);

  NodePanel<T>& side(bool is_lower, Index k) { return is_lower ? lower[k] : upper[k]; }
  /// A panel as a message body that shares its memory.
  comm::Body body(const NodePanel<T>& panel, bool is_phantom) const;
};

}  // namespace overlapack::sparse::supernodal
