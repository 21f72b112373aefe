#pragma once
#include "dist/grid/block_cyclic.hpp"

#include <vector>

namespace overlapack::dist {

/// Entries that are consecutive in both layouts; first: local position in this one.
struct Run {
  Local first;
  Index length = 0;
};

/// The entries of `process` in `mine`, by their owner q in `theirs`: result[q] is in ascending global order, so that both sides
/// list their common entries in the same order.
/// Shapes  mine.size = theirs.size
/// Cost    one run for each piece of a block of `mine` cut at the block ends of `theirs`
std::vector<std::vector<Run>> shared_runs(const BlockCyclic& mine, int process, const BlockCyclic& theirs);

/// Number of entries in the runs.
Index entries(const std::vector<Run>& runs);

}  // namespace overlapack::dist
