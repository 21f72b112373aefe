#pragma once
#include "dist/grid/block_cyclic.hpp"
#include "dist/moves/row_moves.hpp"

#include <vector>

namespace overlapack::dist {

/// Interchanges from the view of one process of a column: its rows, as local indices, by the position of the other process. Both
/// sides of a pair list theirs in the same order.
struct RowExchange {
  std::vector<std::vector<Index>> from;  ///< rows whose contents are sent to that position
  std::vector<std::vector<Index>> to;    ///< rows whose contents are received from that position
  /// By receiver: number of its received rows, ordered by sender, that precede this process's.
  std::vector<Index> before_mine;
};
RowExchange row_exchange(const RowMoves& moves, const BlockCyclic& rows, int me);

}  // namespace overlapack::dist
