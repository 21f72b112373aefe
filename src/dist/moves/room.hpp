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

/// panel_width: columns of a panel. Blocks and panels far beyond A take the room of some that are not.
template <class T>
MoveRoom room_for(const DistributedMatrix<T>& A, Index panel_width) {
  const Index most = 2 * std::max(A.m(), A.n()) + 64;
  const auto most_entries = [most](const BlockCyclic& distributed) {
    const Index blocks = (distributed.blocks() + distributed.processes - 1) / distributed.processes;
    return static_cast<std::size_t>(blocks * std::min(distributed.block, most));
  };
  const std::size_t rows = most_entries(A.rows), cols = most_entries(A.cols);
  const auto width = static_cast<std::size_t>(std::min(panel_width, most));
  const std::size_t head = (width + 1) * sizeof(Index) + width * width * sizeof(T);
  const std::size_t panel =
      head + width * static_cast<std::size_t>(padded_ld(static_cast<Index>(rows))) * sizeof(T);
  return {.head = head,
          .body = std::max(panel, width * cols * sizeof(T)),
          .rows = std::max(2 * width * cols, rows * width) * sizeof(T)};
}

}  // namespace overlapack::dist
