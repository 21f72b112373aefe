#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/onesided/signals.hpp"

#include <array>
#include <deque>
#include <utility>

namespace overlapack::comm::onesided {

/// Broadcasts in one group by one-sided gets. The root copies its body into its window and signals that it is ready. The signal goes
/// down a tree: each rank, in the poll that sees it, signals its own readers and starts to get the body from the root's window.
/// The window has two buffers, at the same offsets on all ranks, which broadcasts use in turn, so that the next broadcast need not wait
/// until all ranks have read the last one.
/// Cost    depth of the tree in signals, then a get; each rank sends at most told_by_one signals
/// Source  paper 3, section 2, Fig. 3 (c); the paper's processors synchronise by a barrier instead
class DirectBroadcasts {
 public:
  using Group = collective::Group;

  /// offset: where the two buffers, of body_bytes each, begin in the window `bodies`
  /// ready: signals that nothing else uses; groups that have no pair of ranks in common may share them. A signal is known by its
  ///        number alone, and a rank forwards these at a time that its peers cannot foresee, so that other uses would confuse the count
  /// read: signals by which a rank tells the root that it has read a body; may have other uses
  /// told_by_one: how many ranks each rank signals in the tree, at least 1
  DirectBroadcasts(Signals& ready, Window& bodies, Signals& read, std::size_t offset, std::size_t body_bytes,
                   int told_by_one)
      : ready_(ready),
        read_(read),
        bodies_(bodies),
        offset_(offset),
        body_bytes_(body_bytes),
        told_by_one_(told_by_one) {}

  /// Shapes  bytes <= body_bytes; root: a position in the group; body: on the root only
  /// Sync    all ranks of the group start the same broadcasts in the same order. Only the root may block: until all have read the
  ///         body that was in this buffer before
  std::unique_ptr<collective::Broadcast> start(const Group& group, int root, std::size_t bytes, Body body);

 private:
  class Running;
  /// The ranks that this one signals once it knows that a body is ready.
  struct News {
    std::vector<int> readers;
    bool is_known = false;  ///< this rank knows
  };

  /// Note that the body of broadcast `number` is ready, and signal the readers, but not before those of all earlier broadcasts: each
  /// reader sees the signals in the order of the broadcasts.
  void announce_ready(std::int64_t number);

  Signals &ready_, &read_;
  Window& bodies_;
  std::size_t offset_, body_bytes_;
  int told_by_one_;
  std::int64_t started_ = 0, passed_ = 0;
  /// Of all broadcasts that were started, except the first `passed_`, whose readers were signalled
  std::deque<News> news_;
  /// By buffer: the ranks that read it, each with the number of the signal by which it will say that it has.
  std::array<std::vector<std::pair<int, std::int64_t>>, 2> readers_;
};

}  // namespace overlapack::comm::onesided
