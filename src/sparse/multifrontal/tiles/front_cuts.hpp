#pragma once
#include "overlapack/scalar.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <vector>

namespace overlapack::sparse::multifrontal {

/// How a front is cut into tiles: by its sizes and the plan alone, so that its numbers do not depend on who computes them.
struct FrontCuts {
  std::vector<Index>
      start;  ///< first variable of each block, of the fully summed ones and then of the border; then the order
  Index summed = 0;  ///< number of blocks of fully summed variables
  Index depth = 1;   ///< steps whose pivots update a tile of C together

  Index blocks() const { return static_cast<Index>(start.size()) - 1; }
  Index width(Index block) const { return start[block + 1] - start[block]; }
};

FrontCuts front_cuts(Index summed, Index border, const TilePlan& plan);

/// A tile of C.
struct ContributionCut {
  Index top = 0, left = 0, rows = 0, cols = 0;
  Index strip = 0;  ///< of columns
};

/// Tiles of C strip by strip; of a symmetric one those that meet its lower part, none in two of its panels of `width` columns. The
/// first tile of a symmetric strip begins on the diagonal and has as many rows as columns at least.
/// before: rows above those of the border in the array that L of C's rows is read from
std::vector<ContributionCut> contribution_cuts(Index border, Index width, bool is_lower, Index before,
                                               const TilePlan& plan);

}  // namespace overlapack::sparse::multifrontal
