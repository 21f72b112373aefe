#pragma once
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "sparse/factors/factor_stats.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <variant>
#include <vector>

namespace overlapack::sparse {

/// The figures of all ranks, the same on every rank; counts: those of the method, which add up.
template <class Own, std::size_t size>
FactorStats sum_over_ranks(comm::Rank& rank, const FactorStats& mine, Index Own::*const (&counts)[size]) {
  const auto& my_own = std::get<Own>(mine.own);
  std::vector<double> sums;
  for (const auto count : summed_counts) sums.push_back(static_cast<double>(mine.*count));
  for (const auto count : counts) sums.push_back(static_cast<double>(my_own.*count));
  for (const auto amount : summed_amounts) sums.push_back(mine.*amount);
  sums.push_back(mine.peak_bytes);
  comm::collective::all_reduce(rank, std::span<double>(sums), std::plus<>());
  FactorStats all;
  Own own;
  const double* sum = sums.data();
  for (const auto count : summed_counts) all.*count = static_cast<Index>(*sum++);
  for (const auto count : counts) own.*count = static_cast<Index>(*sum++);
  for (const auto amount : summed_amounts) all.*amount = *sum++;
  all.own = own;
  all.peak_bytes = *sum;
  all.smallest = mine.smallest;
  comm::collective::all_reduce(rank, std::span(&all.smallest, 1),
                               [](SmallestPivot a, const SmallestPivot& b) {
                                 a.take(b);
                                 return a;
                               });
  double most[] = {mine.peak_bytes, mine.deal_s};
  comm::collective::all_reduce(rank, std::span<double>(most), Larger());
  all.most_bytes_of_rank = most[0];
  all.deal_s = most[1];
  all.largest_rank = comm::collective::all_reduce(rank, mine.largest_rank, Larger());
  all.most_entries = comm::collective::all_reduce(rank, mine.most_entries, Larger());
  return all;
}

}  // namespace overlapack::sparse
