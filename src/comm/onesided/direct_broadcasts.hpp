#pragma once
#include "comm/collective/broadcast/broadcast.hpp"
#include "comm/onesided/signals.hpp"

#include <array>
#include <utility>

namespace overlapack::comm::onesided {

/// Broadcasts in one group: the root signals, and each rank gets the body from the root's window, in the poll that sees the signal.
/// Two buffers in the window, at the same offsets on all ranks, are used in turn, so that the next broadcast need not wait until
/// all have read the last one.
/// Cost    a signal, then a get, whatever the size of the group; root: a signal to each
/// Source  paper 3, section 2, Fig. 3 (c)
class DirectBroadcasts {
 public:
  using Group = collective::Group;

  /// offset: of the two buffers of body_bytes each in the window
  DirectBroadcasts(Signals& signals, Window& window, std::size_t offset, std::size_t body_bytes)
      : signals_(signals), window_(window), offset_(offset), body_bytes_(body_bytes) {}

  /// Shapes  bytes <= body_bytes; root: a position in the group; body: on the root only
  /// Sync    none: blocks, on the root, only for ranks that still read the last body in this buffer; all of the group start the
  ///         same broadcasts in the same order
  std::unique_ptr<collective::Broadcast> start(const Group& group, int root, std::size_t bytes, Body body);

 private:
  class Running;

  Signals& signals_;
  Window& window_;
  std::size_t offset_, body_bytes_;
  std::int64_t started_ = 0;
  /// By buffer: ranks that have not signalled yet that they have read it, with the number of that signal.
  std::array<std::vector<std::pair<int, std::int64_t>>, 2> readers_;
};

}  // namespace overlapack::comm::onesided
