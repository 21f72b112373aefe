#include "dist/moves/row_moves.hpp"

#include <map>

namespace overlapack::dist {

/// Source  paper 4, section 2.3: the exchanges as one permutation
RowMoves row_moves(Index first, std::span<const Index> pivots) {
  RowMoves moves;
  moves.first = first;
  moves.count = static_cast<Index>(pivots.size());
  moves.pivots.assign(pivots.begin(), pivots.end());
  moves.into.resize(pivots.size());
  for (Index i = 0; i < moves.count; ++i) moves.into[static_cast<std::size_t>(i)] = first + i;
  std::map<Index, Index> behind;  // rows outside the block -> the row of the block that they get
  for (std::size_t i = 0; i < pivots.size(); ++i) {
    if (pivots[i] < first + moves.count) {
      std::swap(moves.into[i], moves.into[static_cast<std::size_t>(pivots[i] - first)]);
    } else {
      const auto [position, is_new] = behind.try_emplace(pivots[i], pivots[i]);
      std::swap(moves.into[i], position->second);
    }
  }
  for (const auto& [row, from] : behind) {
    moves.row.push_back(row);
    moves.from_block.push_back(from - first);
  }
  return moves;
}

}  // namespace overlapack::dist
