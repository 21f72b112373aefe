#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/rank.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>

/// Channels between pairs of ranks, for asynchronous iterations: no rank waits for another, and the newest message wins. They use only
/// the contract (rank.hpp), so that they run on every engine. The number of messages under way is bounded, no message is cancelled, and
/// none is left after destroy.
/// Source  paper 5, section 4.2
namespace overlapack::comm {

/// async: a receive gets the newest message that has arrived, whole. racy: a send overwrites the receiver's words one by one, at any
/// time, so that a receive may get words of several messages. async_puts: as async, but with puts instead of messages of a lane
/// (slots.hpp); needs an engine that orders puts.
enum class ChannelMode : std::uint8_t { async, racy, async_puts };

/// Options of a channel; both ends give the same.
struct ChannelPlan {
  std::size_t message_bytes = 0;
  /// R: async: most messages in each direction that the far end has not acknowledged
  int max_messages = 1;
  ChannelMode mode = ChannelMode::async;
  std::size_t word_bytes = 8;  ///< racy: size of a word that is never torn, 4 or 8
};

/// Histogram of receives: entry i counts the receives before which i + 1 messages had arrived since the receive before. The last entry
/// also counts all larger numbers.
using BatchCounts = std::array<std::int64_t, 64>;

/// Statistics of one end so far.
struct ChannelCounts {
  std::int64_t sent = 0;           ///< messages
  std::int64_t put = 0;            ///< async: of these, by puts into the far end's buffers
  std::int64_t arrived = 0;        ///< async: messages of the peer that have arrived
  std::int64_t received = 0;       ///< recv calls that got something new; racy: all
  std::int64_t overwritten = 0;    ///< async: arrived messages that a newer one replaced before a recv
  std::int64_t largest_batch = 0;  ///< async: most messages that arrived between two receives
  int most_in_flight = 0;          ///< async: most messages of mine that were not acknowledged, at most R
  BatchCounts batches{};           ///< async
};

/// Bytes of my window that a channel takes: for a racy message or for the buffers of async_puts; 0 for async.
std::size_t room_of(const ChannelPlan& plan);

class Channels;

/// My end of one channel, made by Channels::create. Empty after destroy.
class Channel {
 public:
  Channel() = default;
  Channel(Channel&&) noexcept = default;
  Channel& operator=(Channel&&) noexcept = default;

  /// Whether fewer than max_messages of my messages are unacknowledged, so that send would not block. Polls before it returns false.
  /// racy: always true, since words are put and nobody acknowledges them.
  bool can_send();
  /// Send message_bytes bytes. async: copies them, and blocks while the channel is full. racy: puts them word by word and returns; they
  /// have arrived when the next send to the peer begins.
  /// Errors  BadInput for another size
  void send(std::span<const std::byte> message);
  /// async: whether a message has arrived since the last recv. Polls before it returns false. racy: always true.
  bool can_recv();
  /// async: copy the newest message that has arrived since the last recv, and drop older ones; returns false, and leaves `message`
  /// unchanged, if there is none. racy: copy the words as they are now, at first those of `initial`; always true. Never blocks.
  /// Errors  BadInput for another size
  bool recv(std::span<std::byte> message);
  /// Block until can_recv() would be true.
  /// Errors  BadInput if the peer destroys the channel instead of sending
  void wait();
  /// End the channel: wait until no message is under way, and check that all messages of the peer have arrived. Returns the counts.
  /// Sync    blocks until the peer calls it or start_destroy. Ranks with several channels destroy them in an order in which they cannot
  ///         wait for each other in a ring, or call `start_destroy` for all of them first
  ChannelCounts destroy();
  /// First half of destroy: tell the peer that no message of mine follows, and return. destroy is the second half. No sends in between.
  void start_destroy();

  const ChannelCounts& counts() const;
  const ChannelPlan& plan() const;

 private:
  friend class Channels;
  struct End;
  Channel(Channels& channels, std::shared_ptr<End> end) : channels_(&channels), end_(std::move(end)) {}
  Channels* channels_ = nullptr;
  std::shared_ptr<End> end_;
};

/// All channels of one rank; they own the lane `channel`. A message of a channel is one message of the lane. Any poll or wait of the
/// receiver takes it off the lane, whether or not the program calls recv, and keeps only the newest one. The next message of the other
/// direction carries the acknowledgement; once R / 2 acknowledgements are due, they are sent at once. So R bounds the messages that are
/// still on the lane, and channels with halos in both directions send few extra messages.
class Channels {
 public:
  /// room: bytes for make_room. nullopt, on all ranks of the team: no window is made, and no rank waits.
  /// Sync    collective over the team
  explicit Channels(Rank& rank, std::optional<std::size_t> room = std::nullopt);
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;

  /// Make a window for racy messages and buffers, which replaces the previous one. No open channel may use the previous one.
  /// bytes: sum of room_of(plan) over my channels
  /// Sync    collective over the team
  void make_room(std::size_t bytes);

  /// My end of a channel to `peer`. Channels of a pair are matched in the order in which its ranks create them.
  /// initial  racy: what recv returns until the peer writes; empty: zeros
  /// Sync    blocks until the peer calls it or start_create. Ranks with several channels create them in an order in which they cannot
  ///         wait for each other in a ring, or call `start_create` for all of them first
  /// Errors  BadPlan for max_messages < 1, racy words that are not 4 or 8 bytes (complex numbers are two words) or begin with another
  ///         size, no room for a racy message or buffers, an engine that does not order puts, a channel to myself or to a rank that does
  ///         not exist; BadInput, at both ends, if the ends give different plans
  Channel create(int peer, const ChannelPlan& plan, std::span<const std::byte> initial = {});
  /// First half of create: announce the channel to the peer and return. finish_create, the second half, blocks.
  Channel start_create(int peer, const ChannelPlan& plan, std::span<const std::byte> initial = {});
  void finish_create(Channel& channel);

  /// Declare that this rank creates no more channels. If a peer creates one to this rank later, both get an error.
  /// Errors  Internal if one of mine is left; BadInput for a channel that the peer alone has created
  void forbid_new_channels();
  /// Release the lane, after all channels of this rank were destroyed.
  /// Sync    collective over the team
  /// Errors  Internal if one is left
  void close();

 private:
  friend class Channel;
  using Name = std::pair<int, std::int64_t>;  ///< peer, number among the channels of the pair

  void send_to(const Name& name, Kind kind, std::array<std::int64_t, 5> id, Body body);
  void receive_arrived();
  void store_or_deliver(Message&& message);
  void require_created(const Name& name) const;
  void require_no_open_channels() const;
  void receive_from_slots(Channel::End& end);
  void wait_until(FunctionRef<bool()> is_done);
  std::size_t reserve_room(const ChannelPlan& plan, std::span<const std::byte> initial);
  void add_expected_messages(std::int64_t messages);

  Rank& rank_;
  Inbox inbox_;
  /// Most messages that may be under way to me: the sum of R over my async channels. Each has a posted receive, up to a limit (paper 5,
  /// section 3.1.2).
  std::int64_t under_way_to_me_ = 0;
  std::unique_ptr<Window> words_;  ///< window into which peers write racy messages and buffers
  std::size_t words_used_ = 0;     ///< bytes of it that channels have taken
  std::map<Name, std::shared_ptr<Channel::End>> ends_;
  std::map<int, std::int64_t> created_;  ///< channels so far, by peer
  std::map<int, std::uint32_t> sequence_;
  bool is_waiting_ = false;
  bool is_complete_ = false;  ///< forbid_new_channels was called
  std::shared_ptr<void> progress_;
};

}  // namespace overlapack::comm
