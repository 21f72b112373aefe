#pragma once
#include "sparse/multifrontal/front/low_rank_blocks.hpp"

#include <algorithm>

namespace overlapack::sparse::multifrontal {

/// What low-rank fronts add to the figures of their rank.
struct LowRankTally {
  double flops = 0;             ///< done, without those of full rank
  double full_strip_flops = 0;  ///< what strips would have taken in full
  Index compressed = 0, full = 0, ranks = 0, largest_rank = 0;
  Index mixed = 0;                ///< of the compressed ones: some or all terms in single precision,
  Index saved_bytes = 0;          ///< which saves so many
  Index contributions = 0;        ///< that were put into tiles,
  Index mixed_contributions = 0;  ///< some of which have terms in single precision
  Index strips = 0;               ///< of this rank,
  Index strip_entries = 0;        ///< their L21, as it is kept
  Index panel_saved_bytes = 0;    ///< panels for strips are shorter by so many

  template <class T>
  void count(const Attempt<T>& made) {
    flops += made.flops;
    if (!made.is_product()) {
      ++full;
      return;
    }
    const auto& [rows, cols, rank, single] = made.shape;
    ++compressed;
    ranks += rank;
    largest_rank = std::max(largest_rank, rank);
    mixed += single > 0;
    saved_bytes += single * (rows + cols) * static_cast<Index>(sizeof(T) - sizeof(Single<T>));
  }
  void add(const LowRankTally& other) {
    flops += other.flops;
    full_strip_flops += other.full_strip_flops;
    compressed += other.compressed;
    full += other.full;
    ranks += other.ranks;
    largest_rank = std::max(largest_rank, other.largest_rank);
    mixed += other.mixed;
    saved_bytes += other.saved_bytes;
    contributions += other.contributions;
    mixed_contributions += other.mixed_contributions;
    strips += other.strips;
    strip_entries += other.strip_entries;
    panel_saved_bytes += other.panel_saved_bytes;
  }
};

}  // namespace overlapack::sparse::multifrontal
