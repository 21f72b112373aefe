#pragma once
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/front/low_rank_blocks.hpp"

#include <vector>

namespace overlapack::sparse::multifrontal {

/// Puts the contribution block of a low-rank front into tiles, those off the diagonal as products if that
/// pays. The block then waits for its parent in less memory, and is added to it tile by tile. If the tiles
/// take more than `worth` of the bytes in full, which is tested from the first eighth of the columns on, the
/// block stays as it is. Returns the flops.
/// blocks: of rows of the front
/// limit: largest error of a tile (Frobenius)
/// omega: random signs of kernels::compress, grows to what is needed
/// Memory  until it is done, the tiles are there beside the block, or beside their packed form
template <class T>
double compress_contribution(comm::Rank* helpers, const LowRankPlan& plan, bool is_symmetric,
                             const RowBlocks& blocks, double limit, std::vector<T>& omega, Ledger& ledger,
                             Front<T>& front);

}  // namespace overlapack::sparse::multifrontal
