#pragma once
#include "comm/message.hpp"
#include "dense/lu/panel.hpp"

namespace overlapack::dense {

/// Panel k as its process row knows it: L11 \ U11, my rows of L21, and which rows were exchanged.
template <class T>
struct Panel {
  Index number = -1;
  Index first = 0, width = 0;
  MatrixView<const T> top;    ///< width x width
  MatrixView<const T> below;  ///< my rows behind the panel's block row, x width
  dist::RowMoves moves;
  std::vector<Index> pivots;
  Index zero_pivot = -1;
  comm::Body body;  ///< what the views look at

  Index end() const { return first + width; }
};

/// Bytes of the message of a panel whose process row has `rows_below` local rows behind it.
template <class T>
std::size_t panel_bytes(Index width, Index rows_below);

/// The message: pivots, first zero pivot, top, below (which may have no rows: then it follows by itself).
template <class T>
comm::Body packed_panel(const PanelFactor<T>& factor, MatrixView<const T> below);

/// Panel k as its owner knows it: L21 stays where it is in A.
template <class T>
Panel<T> panel_in_place(Index number, Index first, PanelFactor<T> factor, MatrixView<const T> below);

template <class T>
Panel<T> unpacked_panel(Index number, Index first, Index width, Index rows_below, comm::Body body);

}  // namespace overlapack::dense
