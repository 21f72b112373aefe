#pragma once
#include "sparse/analysis/analysis.hpp"

#include <cstddef>

namespace overlapack::sparse {
struct LowRankPlan;
}

namespace overlapack::api {

/// Bytes of the numerical phase on one rank, without delayed pivots: at every front of the postorder the
/// factors so far, the contribution blocks that wait for their parents, and the front itself, with the
/// padding of columns that sparse/multifrontal/front/front.hpp has.
/// grid_root: the root that all ranks share, or -1; its children's contribution blocks are copied into messages, at worst all
/// at once.
/// Cost    O(fronts)
double predicted_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes, Index grid_root = -1);

/// The same with large fronts compressed; while one is eliminated it is held in full beside its blocks.
/// share: of these blocks' bytes that remains, from 0 to 1 (1: nothing compresses)
double predicted_low_rank_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                                const sparse::LowRankPlan& plan, double share);

/// Bytes on disk if panels, L21 and D go there as soon as they are made.
double predicted_scratch_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                               Index grid_root = -1);

/// The memory then: names of pivots, contribution blocks, the current front, and what is not yet written; in the solve the window
/// of what is read, and the largest front.
/// buffer_bytes: of what is not yet written or read ahead, with the segment that is being filled
double predicted_disk_memory_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                                   double buffer_bytes, Index grid_root = -1);

}  // namespace overlapack::api
