#pragma once
#include "comm/collective/combine_figures.hpp"
#include "sparse/factors/factor_stats.hpp"

#include <span>

namespace overlapack::sparse {

/// Each rank's figures become those of all.
/// Sync    collective
inline void sum_over_ranks(comm::Rank& rank, FactorStats& stats) {
  stats.most_bytes_of_rank = stats.peak_bytes;
  comm::collective::combine<SparseFigures>(rank, stats);
  comm::collective::all_reduce(rank, std::span(&stats.smallest, 1),
                               [](SmallestPivot a, const SmallestPivot& b) {
                                 a.take(b);
                                 return a;
                               });
}

}  // namespace overlapack::sparse
