#pragma once
#include "base/each_figure.hpp"
#include "sparse/multifrontal/front/low_rank_blocks.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

/// What low-rank fronts add to the figures of their rank.
struct LowRankTally : LowRankFigures {
  double flops = 0;             ///< done, without those of full rank
  double full_strip_flops = 0;  ///< what strips would have taken in full
  Index strip_entries = 0;      ///< L21 of strips, as it is kept

  template <class T>
  void count(const Attempt<T>& made) {
    flops += made.flops;
    if (!made.is_product()) {
      ++blocks_full;
      return;
    }
    const auto& [rows, cols, rank, single] = made.shape;
    ++blocks_compressed;
    sum_of_ranks += rank;
    largest_rank = std::max(largest_rank, rank);
    blocks_mixed += single > 0;
    mixed_saved_bytes += single * (rows + cols) * static_cast<Index>(sizeof(T) - sizeof(Single<T>));
  }
  void add(const LowRankTally& other) {
    overlapack::add<LowRankFigures>(*this, other);
    flops += other.flops;
    full_strip_flops += other.full_strip_flops;
    strip_entries += other.strip_entries;
  }
};

}  // namespace overlapack::sparse::multifrontal
