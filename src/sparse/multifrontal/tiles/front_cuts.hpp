#pragma once
#include "overlapack/scalar.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <vector>

namespace overlapack::sparse::multifrontal {

/// How a front is cut into tiles: by its sizes and the plan alone, so that its numbers do not depend on who computes them.
struct FrontCuts {
  /// First position of each block, of the fully summed ones and then of the border; at the end the order of
  /// the front.
  std::vector<Index> start;
  Index summed = 0;  ///< number of blocks of fully summed variables
  Index depth = 1;   ///< steps whose pivots update a tile of C together

  Index blocks() const { return static_cast<Index>(start.size()) - 1; }
  Index width(Index block) const { return start[block + 1] - start[block]; }
};

FrontCuts front_cuts(Index summed, Index border, const TilePlan& plan);

/// A tile of C.
struct ContributionCut {
  Index top = 0, left = 0, rows = 0, cols = 0;
  Index strip = 0;  ///< number of its strip of columns
};

/// Cuts C into strips of columns, each inside one panel of `width` columns, and each strip into tiles; strip
/// by strip. A symmetric C has only tiles that meet its lower part: the first tile of a strip begins on the
/// diagonal and has at least as many rows as columns.
/// before: rows above the border in the array that holds L of C's rows, in which tiles begin at cache lines
std::vector<ContributionCut> contribution_cuts(Index border, Index width, bool is_lower, Index before,
                                               const TilePlan& plan);

}  // namespace overlapack::sparse::multifrontal
