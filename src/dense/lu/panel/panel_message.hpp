#pragma once
#include "dense/lu/panel/panel.hpp"

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
  comm::Body top_body, below_body;  ///< what the views look at; empty where they look at A

  Index end() const { return first + width; }
};

/// What travels before the rows of L21: pivots, first zero pivot, top.
template <class T>
std::size_t panel_head_bytes(Index width);
template <class T>
comm::Body panel_head(const PanelFactor<T>& factor, Index width);

/// Panel k as its owner knows it: L21 stays where it is in A.
template <class T>
Panel<T> panel_in_place(Index number, Index first, PanelFactor<T> factor, MatrixView<const T> below);

/// Panel k as it comes to the others of its process row.
template <class T>
Panel<T> panel_that_came(Index number, Index first, Index width, dist::SentBlock<T> sent);

}  // namespace overlapack::dense
