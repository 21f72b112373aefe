#pragma once
#include "dist/grid/block_cyclic.hpp"
#include "dist/moves/row_moves.hpp"

#include <vector>

namespace overlapack::dist {

/// Interchanges as one process of a column sees them: its rows, local numbers, by the position of the other one. Both sides of a
/// pair list theirs in the same order.
struct RowExchange {
  std::vector<std::vector<Index>> from;  ///< rows whose contents leave for that position
  std::vector<std::vector<Index>> to;    ///< rows that get theirs from that position
  /// Among all that a position gets, ordered by who sends, so many rows stand before mine.
  std::vector<Index> before_mine;
};
RowExchange row_exchange(const RowMoves& moves, const BlockCyclic& rows, int me);

}  // namespace overlapack::dist
