#pragma once
#include "comm/channel/channel.hpp"
#include "comm/channel/slots.hpp"

namespace overlapack::comm {

/// Messages of the lane and their header ids. open: bytes, R, mode, word bytes, offset in the sender's window; data and
/// acknowledge: number of messages acknowledged; close: number of messages sent, number acknowledged.
enum class ChannelMessage : std::int32_t { open = 1, data, acknowledge, close };

struct Channel::End {
  int peer = 0;
  std::int64_t number = 0;
  ChannelPlan plan;
  std::size_t room = 0;        ///< offset of my words or buffers in my window
  ChannelPlan peer_plan;       ///< valid once is_open
  std::size_t peer_room = 0;   ///< the same of the peer, to which I write
  std::optional<Slots> slots;  ///< async_puts, once it is open at both ends
  bool is_created = false;     ///< by this rank
  bool is_open = false;        ///< the peer's `open` has arrived
  bool is_closed = false;      ///< the peer's `close` has arrived
  bool is_closing = false;     ///< my `close` was sent
  std::int64_t under_way = 0;  ///< sent and not acknowledged
  std::int64_t owed = 0;       ///< arrived and not acknowledged
  Body newest;                 ///< unless a buffer that is not acknowledged has it
  std::int64_t batch = 0;      ///< messages since the last receive
  std::int64_t peer_sent = 0;
  ChannelCounts counts;

  /// Whether acknowledgements must be sent now: the peer may soon wait for them, or no further message of mine will carry them.
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
};

}  // namespace overlapack::comm
