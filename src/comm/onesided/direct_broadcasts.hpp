#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/onesided/signals.hpp"

#include <array>
#include <utility>

namespace overlapack::comm::onesided {

/// Broadcasts in one group: after one signal each gets the body from the root, all at once, in the poll that sees the signal. A body stands in one of two places
/// of the window, alike on all ranks, so that the next one need not wait until all have read it.
/// Cost    a signal, then a get, whatever the size of the group; root: a signal to each
/// Source  paper 3, section 2, Fig. 3 (c)
class DirectBroadcasts {
 public:
  using Group = collective::Group;

  /// The window has 2 body_bytes from `offset` on for them.
  DirectBroadcasts(Signals& signals, Window& window, std::size_t offset, std::size_t body_bytes)
      : signals_(signals), window_(window), offset_(offset), body_bytes_(body_bytes) {}

  /// Shapes  bytes <= body_bytes; root: a position in the group; body: on the root only
  /// Sync    none: never blocks on others than those who still read what stood in the place; all of the group start the same
  ///         broadcasts in the same order
  std::unique_ptr<collective::Broadcast> start(const Group& group, int root, std::size_t bytes, Body body);

 private:
  class Running;

  Signals& signals_;
  Window& window_;
  std::size_t offset_, body_bytes_;
  std::int64_t started_ = 0;
  /// Of each position: who has not said yet that it has read what stands there, with the number of that signal.
  std::array<std::vector<std::pair<int, std::int64_t>>, 2> readers_;
};

}  // namespace overlapack::comm::onesided
