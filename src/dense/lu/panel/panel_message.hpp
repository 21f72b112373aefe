#pragma once
#include "dense/lu/panel/panel.hpp"

namespace overlapack::dense {

/// A factorised panel as each process uses it for the update: L11 \ U11, my rows of L21, and the row exchanges. On the owning process
/// column the rows of L21 stand in A; the others have received them.
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

/// Head of a panel's message, which precedes the rows of L21: pivots (0 for columns without one), first zero pivot, top.
/// to: memory of panel_head_bytes zeros
template <class T>
std::size_t panel_head_bytes(Index width);
template <class T>
void write_panel_head(const PanelFactor<T>& factor, Index width, std::byte* to);

/// The panel on a process that owns it: L21 stays in A and is not copied.
template <class T>
Panel<T> panel_in_place(Index number, Index first, PanelFactor<T> factor, MatrixView<const T> below);

/// The panel as the other processes of the process row receive it.
template <class T>
Panel<T> received_panel(Index number, Index first, Index width, dist::SentBlock<T> sent);

}  // namespace overlapack::dense
