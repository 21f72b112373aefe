#pragma once
#include "dist/grid/block_cyclic.hpp"

#include <vector>

namespace overlapack::dist {

/// Entries that follow each other both here and there, by their position here.
struct Run {
  Local first;
  Index length = 0;
};

/// What `process` of `mine` holds, by who holds it in `theirs`: result[q] in ascending global order, so that both sides
/// list the entries that they share in the same order.
/// Shapes  mine.size = theirs.size
/// Cost    one run a piece of my blocks cut at their blocks' ends
std::vector<std::vector<Run>> shared_runs(const BlockCyclic& mine, int process, const BlockCyclic& theirs);

/// How many entries they are.
Index entries(const std::vector<Run>& runs);

}  // namespace overlapack::dist
