#pragma once
#include "comm/channel/channel.hpp"
#include "comm/channel/slots.hpp"

namespace overlapack::comm {

/// Kinds of the messages of the lane. Header id 0 is the number of the channel among those of the pair; the further ids are, for open:
/// bytes, R, mode, word bytes, offset in the sender's window; for data and acknowledge: number of messages acknowledged; for close:
/// number of messages sent in all, number of messages acknowledged.
enum class ChannelMessage : std::int32_t { open = 1, data, acknowledge, close };

/// State of my end of a channel. "Acknowledged" and "owed" count messages whose receipt was, or is still to be, reported.
struct Channel::End {
  int peer = 0;
  std::int64_t number = 0;
  ChannelPlan plan;
  std::size_t room = 0;   ///< offset of my words or buffers in my window
  ChannelPlan peer_plan;  ///< valid once is_open
  /// Offset of the peer's words or buffers, to which I write, in the peer's window
  std::size_t peer_room = 0;
  std::optional<Slots> slots;  ///< async_puts, once it is open at both ends
  bool is_created = false;     ///< by this rank
  bool is_open = false;        ///< the peer's `open` has arrived
  bool is_closed = false;      ///< the peer's `close` has arrived
  bool is_closing = false;     ///< my `close` was sent
  std::int64_t under_way = 0;  ///< my messages that the peer has not acknowledged
  std::int64_t owed = 0;       ///< messages of the peer that have arrived and that I have not acknowledged
  /// The newest message, unless it is still in a buffer that I have not acknowledged
  Body newest;
  std::int64_t batch = 0;      ///< messages that have arrived since the last recv
  std::int64_t peer_sent = 0;  ///< messages of the peer in all; valid once is_closed
  ChannelCounts counts;

  /// Whether acknowledgements must be sent now: half of R are due, so that the peer may soon wait for them, or this end is closing, so
  /// that no further message of mine will carry them.
  bool must_acknowledge_now() const { return owed > 0 && (is_closing || 2 * owed >= plan.max_messages); }

  void count_arrived_messages(std::int64_t messages) {
    if (messages == 0) return;
    counts.arrived += messages;
    counts.overwritten += messages - (batch == 0 ? 1 : 0);
    batch += messages;
    counts.largest_batch = std::max(counts.largest_batch, batch);
    owed += messages;
  }
  void acknowledge_slots() {
    slots->acknowledge(counts.arrived);
    owed = 0;
  }
  bool has_all_messages() const { return counts.arrived == peer_sent; }
  /// Whether no message comes any more. Puts are not of the lane, whose `close` may overtake them: their count says that all are here.
  bool has_ended() const { return is_closed && (!slots || has_all_messages()); }
};

}  // namespace overlapack::comm
