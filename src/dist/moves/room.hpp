#pragma once
#include "dist/grid/distributed_matrix.hpp"

#include <algorithm>

namespace overlapack::dist {

/// The most bytes that the moves of an LU bring to a process at once, alike on all.
struct MoveRoom {
  std::size_t head;  ///< the pivots of a panel, and its top
  std::size_t body;  ///< a panel with these, or a block row
  std::size_t
      rows;  ///< what exchanges bring into a block row and away from it, or those of all panels into a block column
};

/// width: columns of a panel
template <class T>
MoveRoom room_for(const DistributedMatrix<T>& A, Index panel_width) {
  const auto most_entries = [](const BlockCyclic& dealt) {
    return static_cast<std::size_t>((dealt.blocks() + dealt.processes - 1) / dealt.processes * dealt.block);
  };
  const std::size_t rows = most_entries(A.rows), cols = most_entries(A.cols);
  const auto width = static_cast<std::size_t>(panel_width);
  const std::size_t head = (width + 1) * sizeof(Index) + width * width * sizeof(T);
  const std::size_t panel =
      head + width * static_cast<std::size_t>(padded_ld(static_cast<Index>(rows))) * sizeof(T);
  return {.head = head,
          .body = std::max(panel, width * cols * sizeof(T)),
          .rows = std::max(2 * width * cols, rows * width) * sizeof(T)};
}

}  // namespace overlapack::dist
