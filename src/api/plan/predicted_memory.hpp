#pragma once
#include "sparse/analysis/analysis.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <cstddef>

namespace overlapack::api {

/// Bytes of the numerical phase on one rank, without delayed pivots: at every front of the postorder the
/// factors so far, the contribution blocks that wait for their parents, and the front itself, with the
/// padding of columns that sparse/multifrontal/front/front.hpp has.
/// grid_root: of a root that all ranks share, or -1; what its children leave is copied into messages, all of them at once
/// at worst.
/// Cost    O(fronts)
double predicted_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes, Index grid_root = -1);

/// The same where large fronts are compressed: while one is eliminated it stands in full beside its blocks.
/// share: that compression leaves of these blocks, from 0 to 1 (1: nothing compresses)
double predicted_low_rank_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                                const sparse::LowRankPlan& plan, double share);

/// The same as predicted_bytes where panels, L21 and D go to disk as soon as they are made: what they take there.
double predicted_scratch_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                               Index grid_root = -1);

/// And the memory then: names of pivots, contribution blocks, the front at hand, and what still waits to be written; in the solve the
/// window of what is read, and the largest front.
/// buffer_bytes: of what waits or is read ahead, with the segment that is being filled
double predicted_disk_memory_bytes(const sparse::Analysis& analysis, std::size_t scalar_bytes,
                                   double buffer_bytes, Index grid_root = -1);

}  // namespace overlapack::api
