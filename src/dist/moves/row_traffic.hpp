#pragma once
#include "dist/grid/block_cyclic.hpp"
#include "dist/moves/row_moves.hpp"

namespace overlapack::dist {

/// Which rows travel between the owner of the block row and the other processes of the column. All processes compute the same, so
/// that receivers know what to expect. All lists are by position in the process column.
struct RowTraffic {
  int owner = 0;  ///< position of the block row's owner
  /// Rows i of the block row whose new contents the process has, and sends to all.
  std::vector<std::vector<Index>> into;
  /// Indices k into moves.row: rows whose new contents the process receives from the owner.
  std::vector<std::vector<Index>> away;
  /// Rows i of the block row whose new contents the owner has, but which the process sends to all in the owner's place.
  std::vector<std::vector<Index>> lent;
};

/// Errors  Internal unless the block row is on one process
RowTraffic row_traffic(const RowMoves& moves, const BlockCyclic& rows);

/// Balances the sends of the block row: the owner lends rows to processes that send less than a P-th of the block row, as long as
/// it sends more itself.
/// Source  HPL's HPL_equil
void balance_rows(RowTraffic& traffic, Index rows_of_block);

}  // namespace overlapack::dist
