#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/rank.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>

/// Channels between pairs of ranks in which no rank waits and the newest message wins. They use only the contract (rank.hpp), so
/// they run on every engine. The messages under way are bounded, none is cancelled, and none is left after destroy.
/// Source  paper 5, section 4.2
namespace overlapack::comm {

/// async: a receive gets the newest message that has arrived, whole. racy: single words change at any time, so that a receive
/// may get words of several messages. async_puts: as async, by puts instead of messages of a lane (slots.hpp); wants an engine that
/// orders puts.
enum class ChannelMode : std::uint8_t { async, racy, async_puts };

/// Options of a channel; both ends give the same.
struct ChannelPlan {
  std::size_t message_bytes = 0;
  int max_messages = 1;  ///< R: async: messages in each direction that the far end has not acknowledged
  ChannelMode mode = ChannelMode::async;
  std::size_t word_bytes = 8;  ///< racy: size of a word that is never torn, 4 or 8
};

/// Numbers of receives by how many messages had arrived since the one before: 1, 2, ...; the last entry counts all larger numbers.
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

/// Bytes of my window that a channel takes: those of a racy message or of buffers, 0 for messages of the lane.
std::size_t room_of(const ChannelPlan& plan);

class Channels;

/// My end of one channel, made by Channels::create. Empty after destroy.
class Channel {
 public:
  Channel() = default;
  Channel(Channel&&) noexcept = default;
  Channel& operator=(Channel&&) noexcept = default;

  /// Whether fewer than max_messages of mine are unacknowledged, so that send returns at once. Polls before it returns false;
  /// racy: always true, since words are put and nobody waits for them.
  bool can_send();
  /// Send message_bytes bytes. async: copies them, and blocks while the channel is full. racy: puts them word by word and goes
  /// on; they have arrived when the next send to the peer begins.
  /// Errors  BadInput for another size
  void send(std::span<const std::byte> message);
  /// async: whether a message has arrived since the last recv; polls before it returns false. racy: always true.
  bool can_recv();
  /// async: copy the newest message that has arrived since the last recv, dropping older ones; false, and `message` unchanged,
  /// if there is none. racy: copy the words as they are now, at first those of `initial`; always true. Never blocks.
  /// Errors  BadInput for another size
  bool recv(std::span<std::byte> message);
  /// Block until can_recv.
  /// Errors  BadInput where the peer destroys the channel instead of sending
  void wait();
  /// End the channel: complete the messages under way; both ends check that all messages sent have arrived. Returns the counts.
  /// Sync    blocks until the peer calls it; ranks with several channels destroy them in an order that cannot wait in a ring, or
  ///         begin all by `start_destroy`
  ChannelCounts destroy();
  /// First half of destroy: tell the peer and return. No sends afterwards; destroy is the second half then.
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

/// All channels of one rank; they own the lane `channel`. Each message is one message of the lane; any poll or wait of the
/// receiver takes it off the lane, whether or not the program calls recv. Its acknowledgement is carried by the next message of
/// the other direction, or sent at once when half of R are due. So R bounds the messages not taken off the lane yet, channels with
/// halos both ways send few extra messages, and beyond R each end holds one message.
class Channels {
 public:
  /// room: as make_room; nullopt, on all ranks of the team: no room is made, and nobody waits.
  /// Sync    collective over the team
  explicit Channels(Rank& rank, std::optional<std::size_t> room = std::nullopt);
  Channels(const Channels&) = delete;
  Channels& operator=(const Channels&) = delete;

  /// Make room for racy messages and buffers, in the place of what was made before, while there are no channels that have some.
  /// bytes: sum of room_of(plan) over my channels
  /// Sync    collective over the team
  void make_room(std::size_t bytes);

  /// My end of a channel to `peer`. Channels of a pair are matched in the order in which its ranks create them.
  /// initial  racy: what recv returns until the peer writes; empty: zeros
  /// Sync    blocks until the peer calls it; ranks with several channels create them in an order that cannot wait in a
  ///         ring, or begin them all with `start_create`
  /// Errors  BadPlan for max_messages < 1, racy words that are not 4 or 8 bytes (complex numbers are two words) or begin with another
  ///         size, no room for a racy message or buffers, an engine that does not order puts, a channel to myself or to a rank that does
  ///         not exist; BadInput, at both ends, if the ends give different plans
  Channel create(int peer, const ChannelPlan& plan, std::span<const std::byte> initial = {});
  /// First half of create: announce the channel to the peer and return. finish_create, the second half, blocks.
  Channel start_create(int peer, const ChannelPlan& plan, std::span<const std::byte> initial = {});
  void finish_create(Channel& channel);

  /// No channel of mine follows: from now on a peer that creates one to me is an error here, and there.
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
  /// At most; each has a receive that waits for it, up to a limit (paper 5, 3.1.2).
  std::int64_t under_way_to_me_ = 0;
  std::unique_ptr<Window> words_;  ///< window to which peers write racy messages and into buffers
  std::size_t words_used_ = 0;
  std::map<Name, std::shared_ptr<Channel::End>> ends_;
  std::map<int, std::int64_t> created_;  ///< channels so far, by peer
  std::map<int, std::uint32_t> sequence_;
  bool is_waiting_ = false;
  bool is_complete_ = false;  ///< I create no more
  std::shared_ptr<void> progress_;
};

}  // namespace overlapack::comm
