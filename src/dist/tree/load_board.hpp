#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/mailbox/outbox.hpp"
#include "comm/rank.hpp"
#include "overlapack/choices.hpp"

#include <memory>
#include <span>
#include <vector>

namespace overlapack::dist {

class TreeWalk;

using overlapack::NewsBy;

/// What a rank could do now, and the memory that it holds.
struct Load {
  double flops = 0;
  double bytes = 0;
};

/// What every rank knows of the loads of the others. Each tells them when its own load has changed by more than a
/// threshold, so that the news are old by at most that much and what is under way.
/// Source  paper 1, section 4.1: the load of a process is the operations that are ready to be performed on it
class LoadBoard {
 public:
  /// loads: of each rank at the start, known to all
  /// threshold: of flops and of bytes; flops below zero: nothing is told
  /// walk, news_kind: that carries the news of a shared lane, and what it calls them there
  /// Sync    by puts collective
  LoadBoard(comm::Rank& rank, std::vector<Load> loads, Load threshold, NewsBy by = NewsBy::own_lane,
            TreeWalk* walk = nullptr, comm::Kind news_kind = 0);
  ~LoadBoard();

  /// My work has changed by `flops`, and I hold `bytes` now.
  void add_mine(double flops, double bytes);
  /// Another rank was given work that takes memory, as far as I know.
  void add(int rank, Load more);
  /// Load of each rank, with the news that have arrived.
  std::span<const Load> loads();

  bool shares_lane() const { return by_ == NewsBy::shared_lane; }
  /// A message of the walk with news.
  void take(const comm::Message& message);
  /// On a shared lane, once nothing is left to be done: the last news to all; then until the others' are here.
  void close();
  bool is_closed() const { return by_ != NewsBy::shared_lane || finished_ == rank_.size() - 1; }
  /// Collective: all news have been taken, and no more come. On a lane of their own each rank knows from a sum how many
  /// it has to take; last news from each to each would be the square of the ranks.
  void finish();
  std::int64_t news_sent() const { return announced_ * (rank_.size() - 1); }

 private:
  /// The lane load, for those who use it.
  struct OwnLane {
    explicit OwnLane(comm::Rank& rank);
    comm::Inbox inbox;
    comm::Outbox outbox;
  };
  void announce(bool is_last);
  void announce_by_message(bool is_last);
  void announce_by_put();
  void take_news();
  void look_at_words();

  comm::Rank& rank_;
  NewsBy by_;
  TreeWalk* walk_;
  comm::Kind news_kind_;
  std::unique_ptr<OwnLane> lane_;
  std::unique_ptr<comm::Window> words_;  ///< words 2 r and 2 r + 1: what rank r has told me
  std::vector<double> seen_;             ///< of these
  std::vector<Load> loads_;
  Load threshold_;
  double unannounced_flops_ = 0;  ///< change of my load since I told it
  double announced_bytes_ = 0;
  bool will_announce_ = false;  ///< a job of the walk will
  std::int64_t announced_ = 0;  ///< how often I told all others
  std::int64_t taken_ = 0;      ///< messages of theirs
  int finished_ = 0;            ///< ranks that will tell no more
};

}  // namespace overlapack::dist
