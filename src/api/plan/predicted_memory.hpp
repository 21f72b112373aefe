#pragma once
#include "sparse/analysis/analysis.hpp"

#include <cstddef>

namespace overlapack::sparse {
struct LowRankPlan;
}

namespace overlapack::api {

/// Predict the peak memory in bytes of the numerical phase on one rank, without delayed pivots. At each front of the postorder it adds up
/// the factors so far, the contribution blocks that wait for their parents, and the front itself, with the padding of columns of
/// sparse/multifrontal/front/front.hpp. The result is the largest of these sums.
/// grid_root: the root that all ranks share, or -1. The contribution blocks of its children are copied into messages, at worst all of them
///            at once
/// Cost    O(fronts)
double predicted_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes, Index grid_root = -1);

/// predicted_bytes if large fronts are compressed. While such a front is eliminated, it is held in full beside its compressed blocks.
/// share: the share of the blocks' bytes that remains after compression, from 0 to 1 (1: nothing compresses)
double predicted_low_rank_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                                const sparse::LowRankPlan& plan, double share);

/// Predict the bytes on disk, if panels, L21 and D go there as soon as they are made.
double predicted_scratch_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                               Index grid_root = -1);

/// Predict the peak memory with factors on disk. The factorisation holds the names of pivots, contribution blocks, the current front, and
/// factors that are not written yet. The solve holds the window of factors that are read, and the largest front.
/// buffer_bytes: size of the buffer for factors that are not written yet or are read ahead, with the segment that is being filled
double predicted_disk_memory_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                                   double buffer_bytes, Index grid_root = -1);

}  // namespace overlapack::api
