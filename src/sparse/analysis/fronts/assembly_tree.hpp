#pragma once
#include "base/shared_list.hpp"
#include "overlapack/choices.hpp"
#include "overlapack/scalar.hpp"

#include <cstdint>

namespace overlapack::sparse {

using overlapack::FactorKind;

/// The assembly tree of the permuted matrix, with fronts numbered in postorder. Front f eliminates the variables first_pivot[f] to
/// first_pivot[f + 1] - 1. Beside them it has the rows row[row_start[f]] to row[row_start[f + 1] - 1]: ascending permuted numbers of variables
/// that later fronts eliminate.
struct AssemblyTree {
  Index n = 0;
  SharedList<Index> first_pivot{0};  ///< fronts + 1
  SharedList<Index> parent;          ///< fronts; -1 for a root
  SharedList<Index> row_start{0};    ///< fronts + 1
  SharedList<std::int32_t> row;      ///< the rows of the contribution blocks

  Index fronts() const { return static_cast<Index>(parent.size()); }
  /// s: the number of variables that front f eliminates if no pivot is delayed.
  Index pivots(Index f) const { return first_pivot[f + 1] - first_pivot[f]; }
  /// f - s: the order of its contribution block.
  Index border(Index f) const { return row_start[f + 1] - row_start[f]; }
  Index order(Index f) const { return pivots(f) + border(f); }
  const std::int32_t* rows(Index f) const { return row.data() + row_start[f]; }
};

}  // namespace overlapack::sparse
