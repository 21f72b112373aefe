#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/onesided/signals.hpp"

#include <array>
#include <deque>
#include <utility>

namespace overlapack::comm::onesided {

/// Broadcasts in one group: the root says that its body is ready, and each rank gets it from the root's window, in the poll that
/// sees the signal. That it is ready goes down a tree of signals, each of which is passed on in the poll that sees it.
/// Two buffers in the window, at the same offsets on all ranks, are used in turn, so that the next broadcast need not wait until
/// all have read the last one.
/// Cost    a tree's depth of signals one after the other, then a get; each: at most told_by_one signals
/// Source  paper 3, section 2, Fig. 3 (c), whose processors synchronise by a barrier
class DirectBroadcasts {
 public:
  using Group = collective::Group;

  /// offset: of the two buffers of body_bytes each in the window `bodies`
  /// ready: signals of that window, for these broadcasts, or those of groups without a common pair of ranks, alone. It is not known
  /// when a rank passes a signal on, so that among others they could not be told apart by their number
  /// read: signals that may have other uses
  /// told_by_one: ranks that are told by one, at least 1
  DirectBroadcasts(Signals& ready, Window& bodies, Signals& read, std::size_t offset, std::size_t body_bytes,
                   int told_by_one)
      : ready_(ready),
        read_(read),
        bodies_(bodies),
        offset_(offset),
        body_bytes_(body_bytes),
        told_by_one_(told_by_one) {}

  /// Shapes  bytes <= body_bytes; root: a position in the group; body: on the root only
  /// Sync    none: blocks, on the root, only for ranks that still read the last body in this buffer; all of the group start the
  ///         same broadcasts in the same order
  std::unique_ptr<collective::Broadcast> start(const Group& group, int root, std::size_t bytes, Body body);

 private:
  class Running;
  /// Ranks to be told by this one that a body is ready, once it knows.
  struct News {
    std::vector<int> readers;
    bool is_known = false;
  };

  /// Pass on that the body of broadcast `number` is ready; as soon as those of all earlier ones are, so that each reader sees them in
  /// their order.
  void announce_ready(std::int64_t number);

  Signals &ready_, &read_;
  Window& bodies_;
  std::size_t offset_, body_bytes_;
  int told_by_one_;
  std::int64_t started_ = 0, passed_ = 0;
  std::deque<News> news_;  ///< of the broadcasts started but the first passed_
  /// By buffer: ranks that have not signalled yet that they have read it, with the number of that signal.
  std::array<std::vector<std::pair<int, std::int64_t>>, 2> readers_;
};

}  // namespace overlapack::comm::onesided
