#pragma once
#include "comm/collective/combine_figures.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/factors/memory_account.hpp"

#include <span>

namespace overlapack::sparse {

/// Sums the figures of all ranks, on every rank. peak_bytes comes in as this rank's own; the part leaves the
/// account of its process, and the peaks of processes are summed.
/// Sync    collective
inline void sum_over_ranks(comm::Rank& rank, FactorStats& stats, AccountPart& part) {
  stats.most_bytes_of_rank = stats.peak_bytes;
  part.update_account_peak(stats.peak_bytes);
  comm::collective::all_reduce(rank, std::span(&stats.smallest, 1),
                               [](SmallestPivot a, const SmallestPivot& b) {
                                 a.replace_if_smaller(b);
                                 return a;
                               });
  stats.peak_bytes = part.remove_from_account(stats.peak_bytes);  // all ranks have settled
  comm::collective::all_reduce_figures<SparseFigures>(rank, stats);
}

}  // namespace overlapack::sparse
