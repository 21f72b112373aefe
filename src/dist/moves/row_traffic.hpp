#pragma once
#include "dist/grid/block_cyclic.hpp"
#include "dist/moves/row_moves.hpp"

namespace overlapack::dist {

/// Rows that are sent between the owner of the block row and the others, by position in the process column. Every process
/// computes it alike, so receivers know what to expect.
struct RowTraffic {
  int owner = 0;
  /// Rows i of the block whose new contents a process has, and sends to all.
  std::vector<std::vector<Index>> into;
  /// Indices k of moves.row whose contents a process receives from the owner.
  std::vector<std::vector<Index>> away;
  /// Rows i of the block whose new contents the owner has, but this process sends in its place.
  std::vector<std::vector<Index>> lent;
};

/// Errors  Internal unless the block row is on one process
RowTraffic row_traffic(const RowMoves& moves, const BlockCyclic& rows);

/// The owner lends rows to processes that send less than a P-th of the block, while it sends more itself.
/// Source  HPL's HPL_equil
void balance_rows(RowTraffic& traffic, Index rows_of_block);

}  // namespace overlapack::dist
