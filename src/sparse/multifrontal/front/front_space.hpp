#pragma once
#include "sparse/multifrontal/front/front.hpp"

#include <cstdint>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Work space of a rank for one front after another. It grows to what the largest needs, and is kept for
/// refactorisations.
template <class T>
struct FrontSpace {
  std::vector<std::int32_t> position;  ///< variable -> position in the present front
  std::vector<std::int32_t> map;       ///< children's border rows -> position in the front, then in its C
  std::vector<std::int32_t> identity;  ///< 0, 1, 2, ...: the map of blocks that keep their order
  std::vector<std::int32_t> row_order, col_order, rest_rows, rest_cols, names;  ///< of fully summed variables
  std::vector<std::int32_t> pivot_rows;                                         ///< work space of lu_panel
  std::vector<T> backup;   ///< copies of tiles that a step may have to restore (TileSteps)
  std::vector<T> columns;  ///< columns that move, or L21 D
  std::vector<T> stack;    ///< contribution blocks of small fronts whose parents are in the same task
  Index stack_top = 0;     ///< entries of it that are taken
  std::vector<Contribution<T>> children;  ///< of the present front
};

}  // namespace overlapack::sparse::multifrontal
