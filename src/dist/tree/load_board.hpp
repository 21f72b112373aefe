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

/// Load of a rank: flops ready to be performed, and memory in use.
struct Load {
  double flops = 0;
  double bytes = 0;
};

/// The view that some ranks, the readers, have of the loads of all ranks, by which masters choose the ranks of strips. A rank
/// announces its own load to all readers when it has changed by more than a threshold. So the view is wrong by at most the
/// threshold and the messages under way.
/// Source  paper 1, section 4.1: the load of a process is the operations that are ready to be performed on it
class LoadBoard {
 public:
  /// loads: initial loads of all ranks, the same on all
  /// threshold: change of flops, or of bytes, above which a rank announces its load; flops below zero: never
  /// readers: the ranks that will call loads(), ascending, the same on all
  /// walk, news_kind: for NewsBy::shared_lane only: the walk that sends the load messages, and their kind
  /// Sync    NewsBy::put: collective; else none
  LoadBoard(comm::Rank& rank, std::vector<Load> loads, Load threshold, std::vector<int> readers,
            NewsBy by = NewsBy::own_lane, TreeWalk* walk = nullptr, comm::Kind news_kind = 0);
  ~LoadBoard();

  /// Change this rank's work by `flops` and set its memory to `bytes`; announces the load if a threshold is exceeded.
  void add_mine(double flops, double bytes);
  /// Add to this rank's view of another rank the work and memory that it was just given, before that rank announces them.
  void add(int rank, Load more);
  /// For readers: the load of each rank, after handling the load messages that have arrived.
  std::span<const Load> loads();

  bool shares_lane() const { return by_ == NewsBy::shared_lane; }
  /// Handle a load message that the walk has received.
  void handle_load_message(const comm::Message& message);
  /// On a shared lane, once this rank has no work left: send the last load message to the readers. A reader is_closed() once it
  /// has the last messages of all others.
  void close();
  bool is_closed() const {
    return by_ != NewsBy::shared_lane || !is_reader_ || finished_ == rank_.size() - 1;
  }
  /// Collective: receive all load messages under way. If they have a lane of their own, an all-reduce tells each reader how many
  /// it must receive; a last message from each rank to each reader would be up to ranks^2 messages.
  void finish();
  std::int64_t announcements_sent() const { return announced_ * static_cast<std::int64_t>(readers_.size()); }

 private:
  /// The lane `load` (NewsBy::own_lane).
  struct OwnLane {
    explicit OwnLane(comm::Rank& rank);
    comm::Inbox inbox;
    comm::Outbox outbox;
  };
  void announce(bool is_last);
  void announce_by_message(bool is_last);
  void announce_by_put();
  void receive_loads();
  void read_loads_put_here();

  comm::Rank& rank_;
  NewsBy by_;
  TreeWalk* walk_;
  comm::Kind news_kind_;
  std::unique_ptr<OwnLane> lane_;
  std::unique_ptr<comm::Window> words_;  ///< NewsBy::put: words 2 r and 2 r + 1 are written by rank r
  std::vector<double> seen_;             ///< the values of these words when they were read last
  std::vector<Load> loads_;
  Load threshold_;
  std::vector<int> readers_;  ///< other than this rank
  bool is_reader_ = false;
  double unannounced_flops_ = 0;  ///< change of this rank's flops since its last announcement
  double announced_bytes_ = 0;
  bool will_announce_ = false;  ///< a job of the walk will announce the load
  std::int64_t announced_ = 0;  ///< number of announcements to all readers
  std::int64_t taken_ = 0;      ///< load messages received
  int finished_ = 0;            ///< ranks whose last load message has arrived
};

}  // namespace overlapack::dist
