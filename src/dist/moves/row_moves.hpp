#pragma once
#include "overlapack/scalar.hpp"

#include <span>
#include <vector>

namespace overlapack::dist {

/// The row exchanges of one panel, or of several in succession, as one permutation of rows: those that enter the block row first ..
/// first + count - 1, and those that leave it.
/// pivots[i] is the global row that was exchanged with row first + i, in the order of elimination (LAPACK's ipiv, counted from 0).
struct RowMoves {
  Index first = 0, count = 0;
  std::vector<Index> pivots;  ///< as given
  /// After all exchanges row first + i has the contents of old row into[i].
  std::vector<Index> into;
  /// The changed rows outside of the block row: row[k] has the contents of old row first + from_block[k].
  std::vector<Index> row, from_block;

  /// Call visit(to, from) for each changed row: `to` gets the old contents of `from`.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (Index i = 0; i < count; ++i)
      if (const Index from = into[static_cast<std::size_t>(i)]; from != first + i) visit(first + i, from);
    for (std::size_t k = 0; k < row.size(); ++k) visit(row[k], first + from_block[k]);
  }
};
RowMoves row_moves(Index first, std::span<const Index> pivots);

}  // namespace overlapack::dist
