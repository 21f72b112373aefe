#pragma once
#include "dist/grid/distributed_matrix.hpp"

#include <algorithm>

namespace overlapack::dist {

/// Sizes in bytes of the buffers for the data that moves of an LU bring to a process at once; the same on all processes.
struct MoveRoom {
  std::size_t head;  ///< for the pivots of a panel and its top square
  std::size_t body;  ///< for head and panel, or for a block row
  /// For the rows that exchanges move into and out of a block row, or those that all panels move in a block column.
  std::size_t rows;
};

/// The most rows, or columns, that a process may own, counted in whole blocks. most_in_a_block: a bound on the size of a block.
inline std::size_t most_of_a_process(const BlockCyclic& distributed, Index most_in_a_block) {
  const Index blocks = (distributed.blocks() + distributed.processes - 1) / distributed.processes;
  return static_cast<std::size_t>(blocks * std::min(distributed.block, most_in_a_block));
}

/// The sizes for A with panels of panel_width columns. Blocks and panels much larger than A count as 2 max(m, n) + 64.
template <class T>
MoveRoom room_for(const DistributedMatrix<T>& A, Index panel_width) {
  const Index most = 2 * std::max(A.m(), A.n()) + 64;
  const std::size_t rows = most_of_a_process(A.rows, most), cols = most_of_a_process(A.cols, most);
  const auto width = static_cast<std::size_t>(std::min(panel_width, most));
  const std::size_t head = (width + 1) * sizeof(Index) + width * width * sizeof(T);
  const std::size_t panel =
      head + width * static_cast<std::size_t>(padded_ld(static_cast<Index>(rows))) * sizeof(T);
  return {.head = head,
          .body = std::max(panel, width * cols * sizeof(T)),
          .rows = std::max(2 * width * cols, rows * width) * sizeof(T)};
}

}  // namespace overlapack::dist
