#pragma once
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/front/low_rank_blocks.hpp"

#include <vector>

namespace overlapack::sparse::multifrontal {

/// Puts the contribution block of a low-rank front into tiles, those off the diagonal as products where that pays: it waits for
/// its parent in less memory, and is added to it tile by tile. One that would take more than `worth` of its room stays as it is,
/// which the first eighth of its columns tells. Returns the flops.
/// blocks: rows of the front; limit: error of a tile (Frobenius); omega: as of compress, grows to what is needed
/// Memory  until it is done the tiles are there beside the block, or beside their packed form
template <class T>
double compress_contribution(comm::Rank* helpers, const LowRankPlan& plan, bool is_symmetric,
                             const RowBlocks& blocks, double limit, std::vector<T>& omega, Ledger& ledger,
                             Front<T>& front);

}  // namespace overlapack::sparse::multifrontal
