#pragma once
#include "dense/lu/panel/panel.hpp"

namespace overlapack::dense {

/// Panel k on its process row: L11 \ U11, my rows of L21, and the row exchanges.
template <class T>
struct Panel {
  Index number = -1;
  Index first = 0, width = 0;
  MatrixView<const T> top;    ///< width x width
  MatrixView<const T> below;  ///< my rows behind the panel's block row, x width
  dist::RowMoves moves;
  std::vector<Index> pivots;
  Index zero_pivot = -1;
  comm::Body top_body, below_body;  ///< memory of the views; empty where they point into A

  Index end() const { return first + width; }
};

/// Head of the panel's message, before the rows of L21: pivots (0 where there are fewer than columns), first zero pivot, top.
/// to: zeros
template <class T>
std::size_t panel_head_bytes(Index width);
template <class T>
void write_panel_head(const PanelFactor<T>& factor, Index width, std::byte* to);

/// Panel k on its owner: L21 stays in place and is not copied.
template <class T>
Panel<T> panel_in_place(Index number, Index first, PanelFactor<T> factor, MatrixView<const T> below);

/// Panel k as the other ranks of its process row receive it.
template <class T>
Panel<T> received_panel(Index number, Index first, Index width, dist::SentBlock<T> sent);

}  // namespace overlapack::dense
