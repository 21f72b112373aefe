#pragma once
#include "dist/grid/block_cyclic.hpp"
#include "dist/moves/row_moves.hpp"

namespace overlapack::dist {

/// Which rows travel between the owner of the block row and the others, by position in the process column. Every process
/// works it out alike, so that nobody has to be told what comes.
struct RowTraffic {
  int owner = 0;
  /// Rows i of the block that a process sends to all: what will be in them stands there now.
  std::vector<std::vector<Index>> into;
  /// Numbers k of moves.row that a process gets from the owner.
  std::vector<std::vector<Index>> away;
  /// Rows i of the block that the owner has and this process sends round in its stead.
  std::vector<std::vector<Index>> lent;
};

/// Errors  Internal unless the block row lies on one process
RowTraffic row_traffic(const RowMoves& moves, const BlockCyclic& rows);

/// The owner lends rows to those who have less than a P-th of the block, as long as it has more.
/// Source  HPL's HPL_equil
void even_out(RowTraffic& traffic, Index rows_of_block);

}  // namespace overlapack::dist
