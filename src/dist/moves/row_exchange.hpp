#pragma once
#include "dist/grid/block_cyclic.hpp"
#include "dist/moves/row_moves.hpp"

#include <vector>

namespace overlapack::dist {

/// Row interchanges from the view of one process of a process column: which of its rows (local indices) it sends to and receives
/// from each other position of the column. Both processes of a pair list their rows in the same order.
struct RowExchange {
  std::vector<std::vector<Index>> from;  ///< rows whose contents are sent to that position
  std::vector<std::vector<Index>> to;    ///< rows whose contents are received from that position
  /// By receiver: how many rows the receiver gets from senders with a smaller position than this process; an offset into its
  /// buffer.
  std::vector<Index> before_mine;
};
RowExchange row_exchange(const RowMoves& moves, const BlockCyclic& rows, int me);

}  // namespace overlapack::dist
