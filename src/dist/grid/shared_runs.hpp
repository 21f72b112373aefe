#pragma once
#include "dist/grid/block_cyclic.hpp"

#include <vector>

namespace overlapack::dist {

/// A run of entries of one dimension that are consecutive in both of two layouts. first: local position in the layout at hand.
struct Run {
  Local first;
  Index length = 0;
};

/// The entries that `process` owns in the layout `mine`, grouped by their owner q in the layout `theirs`. result[q] is in
/// ascending global order, so that both sides list their common entries in the same order.
/// Shapes  mine.size = theirs.size
/// Cost    one run for each piece of a block of `mine` cut at the block ends of `theirs`
std::vector<std::vector<Run>> shared_runs(const BlockCyclic& mine, int process, const BlockCyclic& theirs);

/// Number of entries in the runs.
Index entries(const std::vector<Run>& runs);

}  // namespace overlapack::dist
