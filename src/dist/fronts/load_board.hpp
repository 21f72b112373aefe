#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/mailbox/outbox.hpp"
#include "comm/rank.hpp"

#include <span>
#include <vector>

namespace overlapack::dist {

/// What every rank knows of the work that the others could do now. Each tells the others on the load lane when its own load
/// has changed by more than a threshold, so that the news are old by at most that much and what is under way.
/// Source  paper 1, section 4.1: the load of a process is the operations that are ready to be performed on it
class LoadBoard {
 public:
  /// loads: flops of each rank at the start, known to all. A threshold below zero: nothing is told.
  LoadBoard(comm::Rank& rank, std::vector<double> loads, double threshold);

  /// My load has changed by `flops`.
  void add_mine(double flops);
  /// Another rank was given work, as far as I know.
  void add(int rank, double flops) { loads_[static_cast<std::size_t>(rank)] += flops; }
  /// Flops that each rank could do, with the news that have arrived.
  std::span<const double> loads();
  /// Collective: all news have been taken, and no more come.
  void finish();
  std::int64_t news_sent() const { return news_sent_; }

 private:
  void tell(std::int32_t kind);
  void take_news();
  void take(const comm::Message& message);

  comm::Rank& rank_;
  comm::Inbox inbox_;
  comm::Outbox outbox_;
  std::vector<double> loads_;
  double threshold_;
  double untold_ = 0;  ///< change of my load since I told it
  std::int64_t news_sent_ = 0;
  int finished_ = 0;   ///< ranks that will tell no more
};

}  // namespace overlapack::dist
