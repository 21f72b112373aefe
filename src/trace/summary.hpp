#pragma once
#include "trace/timeline.hpp"

#include <string>
#include <vector>

namespace overlapack::trace {

/// A run in sums over its ranks.
struct Summary {
  double elapsed_s = 0;   ///< from the first event of any rank to the last
  double wait_share = 0;  ///< time not spent computing, packing or sending / (ranks * elapsed)
  std::int64_t messages = 0;
  std::size_t bytes = 0;
  std::size_t largest_message_bytes = 0;
  double flops = 0;
  std::vector<double> wait_share_of_rank;
  std::vector<KindTotals> kinds;  ///< what all ranks sent, most bytes first; names are the timeline's
};

/// wait_share counts recorded wait and idle, and the time before a rank's first and after its last event.
Summary summarise(const Timeline& timeline);

/// What was sent, one line a kind: messages, bytes, the largest, and what a rank sends on the average; then the same of all
/// (paper 1, table 5).
std::string kinds_table(const Timeline& timeline);

/// One line a rank: seconds by What, share waited, messages, bytes, Gflop, for people.
std::string summary_table(const Timeline& timeline);

}  // namespace overlapack::trace
