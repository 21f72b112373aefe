#pragma once
#include "comm/rank.hpp"

namespace overlapack::comm {

/// One end of an async channel whose messages are puts into R buffers of the far end, in turn, each followed by a count of the messages
/// so far. A second count is that of the messages that the far end has done with, so that their buffers are free. No other rank and no
/// lane takes part.
/// Source  paper 5, section 3.2.2, which has a flag for each buffer; a count says the same of all, and which is the newest
class Slots {
 public:
  /// Of the window that an end takes.
  static std::size_t bytes(std::size_t message_bytes, int count);

  /// mine, theirs: offsets in my window and in the peer's, of zeros
  Slots(Window& window, int peer, std::size_t message_bytes, int count, std::size_t mine, std::size_t theirs)
      : window_(window), peer_(peer), bytes_(message_bytes), count_(count), mine_(mine), theirs_(theirs) {}

  /// Put a message, the one after `before` others, whose buffer is free.
  void put_in_free_slot(std::int64_t before, std::span<const std::byte> message);
  /// Messages of the peer that are here.
  std::int64_t count_arrived() { return window_.flag(mine_); }
  /// The message after `before` others, until it is acknowledged.
  std::span<const std::byte> message(std::int64_t before);
  /// Done with the first `count` messages of the peer.
  void acknowledge(std::int64_t count);
  /// Number of my messages that the peer has acknowledged.
  std::int64_t count_acknowledged() { return window_.flag(mine_ + 8); }

  /// Done when one of the two counts is larger than these.
  Request request_arrival_beyond(std::int64_t than) { return window_.expect_flag(mine_, than + 1); }
  Request request_acknowledgement_beyond(std::int64_t than) {
    return window_.expect_flag(mine_ + 8, than + 1);
  }

 private:
  /// Of the buffer, behind the start of an end.
  std::size_t offset_of(std::int64_t before) const;

  Window& window_;
  int peer_;
  std::size_t bytes_;
  int count_;
  std::size_t mine_, theirs_;
};

}  // namespace overlapack::comm
