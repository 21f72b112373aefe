#pragma once
#include "comm/rank.hpp"

namespace overlapack::comm {

/// One end of a channel of mode async_puts. Each end has R buffers in its window. The sender puts its messages into the far end's
/// buffers in turn, each put followed by an update of the count of messages so far. By a second count, the receiver tells how many
/// messages it is done with, so that their buffers are free. No other rank and no lane takes part.
/// Layout of an end's part of the window: count of arrived messages, count of my acknowledged messages, then R buffers.
/// Source  paper 5, section 3.2.2, which has a flag for each buffer; a count says the same of all buffers, and which is the newest
class Slots {
 public:
  /// Bytes of the window that an end takes.
  static std::size_t bytes(std::size_t message_bytes, int count);

  /// mine, theirs: offsets of the ends in my window and in the peer's, where the memory is zero
  Slots(Window& window, int peer, std::size_t message_bytes, int count, std::size_t mine, std::size_t theirs)
      : window_(window), peer_(peer), bytes_(message_bytes), count_(count), mine_(mine), theirs_(theirs) {}

  /// Put a message into its buffer at the peer, which must be free. before: number of messages sent before it.
  void put_in_free_slot(std::int64_t before, std::span<const std::byte> message);
  /// Number of messages of the peer that have arrived.
  std::int64_t count_arrived() { return window_.flag(mine_); }
  /// View of the peer's message that follows `before` others; valid until it is acknowledged.
  std::span<const std::byte> message(std::int64_t before);
  /// Tell the peer that the first `count` messages of it may be overwritten.
  void acknowledge(std::int64_t count);
  /// Number of my messages that the peer has acknowledged.
  std::int64_t count_acknowledged() { return window_.flag(mine_ + 8); }

  /// Requests that are done when the count of arrived, or of acknowledged, messages is larger than `than`.
  Request request_arrival_beyond(std::int64_t than) { return window_.expect_flag(mine_, than + 1); }
  Request request_acknowledgement_beyond(std::int64_t than) {
    return window_.expect_flag(mine_ + 8, than + 1);
  }

 private:
  /// Offset of the buffer of message number `before`, from the start of an end.
  std::size_t offset_of(std::int64_t before) const;

  Window& window_;
  int peer_;
  std::size_t bytes_;
  int count_;
  std::size_t mine_, theirs_;
};

}  // namespace overlapack::comm
