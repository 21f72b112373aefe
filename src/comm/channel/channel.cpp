#include "comm/channel/channel.hpp"

#include "base/scoped_true.hpp"
#include "comm/collective/collective.hpp"
#include "comm/mailbox/sequence.hpp"

#include <algorithm>
#include <cstring>

namespace overlapack::comm {

namespace {

/// Messages of the lane and their header ids. open: bytes, R, mode, word bytes, offset in the sender's window; data and
/// acknowledge: number of messages acknowledged; close: number of messages sent, number acknowledged.
enum class ChannelMessage : std::int32_t { open = 1, data, acknowledge, close };

std::string text_of(const ChannelPlan& plan) {
  return std::string(plan.mode == ChannelMode::racy ? "racy" : "async") + ", " +
         std::to_string(plan.message_bytes) + " bytes, at most " + std::to_string(plan.max_messages) +
         " messages, words of " + std::to_string(plan.word_bytes) + " bytes";
}

bool is_same(const ChannelPlan& a, const ChannelPlan& b) {
  return a.message_bytes == b.message_bytes && a.max_messages == b.max_messages && a.mode == b.mode &&
         a.word_bytes == b.word_bytes;
}

void require_plan(const Rank& rank, int peer, const ChannelPlan& plan) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_plan, message); };
  if (peer < 0 || peer >= rank.size())
    refuse("a channel is to lead to rank " + std::to_string(peer) + ", but there are " +
           std::to_string(rank.size()) + " ranks; name one from 0 to " + std::to_string(rank.size() - 1));
  if (peer == rank.rank()) refuse("a channel joins two ranks; give the number of another one");
  if (plan.mode != ChannelMode::racy) {
    if (plan.max_messages < 1)
      refuse("a channel of at most " + std::to_string(plan.max_messages) +
             " messages can carry none; give max_messages >= 1");
    return;
  }
  if (plan.word_bytes != 4 && plan.word_bytes != 8)
    refuse("a racy channel needs numbers that arrive whole, of 4 or 8 bytes, not of " +
           std::to_string(plan.word_bytes) + "; use async (complex numbers are two words)");
  if (plan.message_bytes % plan.word_bytes != 0)
    refuse("a racy message of " + std::to_string(plan.message_bytes) +
           " bytes is no whole number of words of " + std::to_string(plan.word_bytes));
}

std::size_t rounded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace

struct Channel::End {
  int peer = 0;
  std::int64_t number = 0;
  ChannelPlan plan;
  std::size_t room = 0;        ///< racy: offset of my words in my window
  ChannelPlan peer_plan;       ///< valid once is_open
  std::size_t peer_room = 0;   ///< racy: offset in the peer's window to which I write
  bool is_created = false;     ///< by this rank
  bool is_open = false;        ///< the peer's `open` has arrived
  bool is_closed = false;      ///< the peer's `close` has arrived
  bool is_closing = false;     ///< my `close` was sent
  std::int64_t under_way = 0;  ///< sent and not acknowledged
  std::int64_t owed = 0;       ///< arrived and not acknowledged
  Body newest;
  std::int64_t batch = 0;  ///< messages since the last receive
  std::int64_t peer_sent = 0;
  ChannelCounts counts;

  /// Whether acknowledgements must be sent now: the peer may soon wait for them, or no further message of mine will carry them.
  bool owes_at_once() const { return owed > 0 && (is_closing || 2 * owed >= plan.max_messages); }
};

Channels::Channels(Rank& rank, std::optional<std::size_t> racy_bytes)
    : rank_(rank), inbox_(rank, Lane::channel, {.posted = 4}) {
  if (racy_bytes) make_room(*racy_bytes);
  progress_ = rank_.on_progress([this] {
    if (!is_waiting_) collect();
  });
}

void Channels::make_room(std::size_t racy_bytes) {
  words_ = rank_.make_window(rounded(racy_bytes));
  words_used_ = 0;
}

Channel Channels::create(int peer, const ChannelPlan& plan, std::span<const std::byte> initial) {
  Channel channel = start_create(peer, plan, initial);
  finish_create(channel);
  return channel;
}

Channel Channels::start_create(int peer, const ChannelPlan& plan, std::span<const std::byte> initial) {
  require_plan(rank_, peer, plan);
  const std::size_t room = plan.mode == ChannelMode::racy ? take_room(plan, initial) : 0;
  const Name name{peer, created_[peer]++};
  auto& end = ends_[name];  // the peer may have announced itself already
  if (!end) end = std::make_shared<Channel::End>();
  end->is_created = true;
  end->peer = name.first;
  end->number = name.second;
  end->plan = plan;
  end->room = room;
  send_to(
      name, ChannelMessage::open,
      {static_cast<std::int64_t>(plan.message_bytes), plan.max_messages, static_cast<std::int64_t>(plan.mode),
       static_cast<std::int64_t>(plan.word_bytes), static_cast<std::int64_t>(room)},
      {});
  return Channel(*this, end);
}

void Channels::finish_create(Channel& channel) {
  const std::shared_ptr<Channel::End> end = channel.end_;
  wait_until([&] { return end->is_open; });
  if (is_same(end->plan, end->peer_plan)) return;
  const int low = std::min(rank_.rank(), end->peer), high = std::max(rank_.rank(), end->peer);
  const bool is_low = rank_.rank() == low;
  throw Error(Status::bad_input,
              "the ends of a channel differ: rank " + std::to_string(low) + " gives " +
                  text_of(is_low ? end->plan : end->peer_plan) + ", rank " + std::to_string(high) +
                  " gives " + text_of(is_low ? end->peer_plan : end->plan) + "; give the same on both ranks");
}

/// Allocate space for a racy message in my window, and initialise it.
std::size_t Channels::take_room(const ChannelPlan& plan, std::span<const std::byte> initial) {
  const std::size_t room = words_used_, bytes = rounded(plan.message_bytes);
  const std::size_t left = words_ ? words_->local().size() - room : 0;
  if (!words_ || bytes > left)
    throw Error(Status::bad_plan, "there is no room for a racy message of " +
                                      std::to_string(plan.message_bytes) + " bytes, " + std::to_string(left) +
                                      " are left; make room for the sum of all racy messages first");
  words_used_ += bytes;
  if (!initial.empty()) words_->store_words(rank_.rank(), room, plan.word_bytes, initial);
  return room;
}

void Channels::send_to(const Name& name, Kind kind, std::array<std::int64_t, 5> id, Body body) {
  const auto [peer, number] = name;
  const std::uint32_t sequence = sequence_[peer] = following(sequence_[peer]);
  rank_.start_send(Lane::channel, peer,
                   {.kind = kind, .sequence = sequence, .id = {number, id[0], id[1], id[2], id[3], id[4]}},
                   std::move(body));
}

/// Handle all arrived messages, and acknowledge those whose acknowledgement cannot wait for my next message.
void Channels::collect() {
  bool has_come = false;
  for (; auto message = inbox_.receive_if_any(); has_come = true) sort_in(std::move(*message));
  if (!has_come) return;
  for (auto& [name, end] : ends_)
    if (end->owes_at_once()) send_to(name, ChannelMessage::acknowledge, {std::exchange(end->owed, 0)}, {});
}

void Channels::sort_in(Message&& message) {
  const Name name{message.source, message.header.id[0]};
  auto& position = ends_[name];
  if (!position) position = std::make_shared<Channel::End>();  // announced by the peer before I created mine
  Channel::End& end = *position;
  const auto& id = message.header.id;
  switch (ChannelMessage(message.header.kind)) {
    case ChannelMessage::open:
      end.peer_plan = {static_cast<std::size_t>(id[1]), static_cast<int>(id[2]),
                       static_cast<ChannelMode>(id[3]), static_cast<std::size_t>(id[4])};
      end.peer_room = static_cast<std::size_t>(id[5]);
      end.is_open = true;
      if (is_complete_) require_created(name);
      break;
    case ChannelMessage::data:
      end.under_way -= id[1];
      end.newest = std::move(message.body);
      ++end.counts.arrived;
      end.counts.overwritten += end.batch > 0;
      end.counts.largest_batch = std::max(end.counts.largest_batch, ++end.batch);
      ++end.owed;
      break;
    case ChannelMessage::acknowledge:
      end.under_way -= id[1];
      break;
    case ChannelMessage::close:
      end.peer_sent = id[1];
      end.under_way -= id[2];
      end.is_closed = true;
  }
}

/// Block until is_done(), which becomes true through an arriving message.
void Channels::wait_until(FunctionRef<bool()> is_done) {
  const ScopedTrue waiting(is_waiting_);
  for (;;) {
    collect();
    if (is_done()) return;
    std::vector<Request*> requests;
    LaneSet probes;
    const auto held = inbox_.add_waits(requests, probes);
    rank_.wait_any(requests, probes);
  }
}

void Channels::require_created(const Name& name) const {
  if (ends_.at(name)->is_created) return;
  throw Error(Status::bad_input, "rank " + std::to_string(name.first) + " creates a channel to rank " +
                                     std::to_string(rank_.rank()) +
                                     ", which ends without its own; create it on both ranks");
}

void Channels::expect_no_more() {
  is_complete_ = true;
  collect();
  for (const auto& [name, end] : ends_) require_created(name);
  require_none();
}

void Channels::require_none() const {
  if (ends_.empty()) return;
  throw Error(Status::internal,
              "rank " + std::to_string(rank_.rank()) + " leaves " + std::to_string(ends_.size()) +
                  " of its channels open, the first one to rank " +
                  std::to_string(ends_.begin()->first.first) + "; destroy each on both of its ranks");
}

void Channels::close() {
  require_none();
  progress_.reset();
  inbox_.close();
  collective::barrier(rank_);
}

bool Channel::can_send() {
  if (end_->plan.mode == ChannelMode::racy) return true;
  if (end_->under_way >= end_->plan.max_messages) channels_->rank_.poll();
  return end_->under_way < end_->plan.max_messages;
}

void Channel::send(std::span<const std::byte> message) {
  End& end = *end_;
  if (message.size() != end.plan.message_bytes)
    throw Error(Status::bad_input, "a message has " + std::to_string(message.size()) +
                                       " bytes, the channel carries " +
                                       std::to_string(end.plan.message_bytes));
  ++end.counts.sent;
  if (end.plan.mode == ChannelMode::racy)
    return channels_->words_->store_words(end.peer, end.peer_room, end.plan.word_bytes, message);
  if (!can_send()) channels_->wait_until([&] { return end.under_way < end.plan.max_messages; });
  end.counts.most_in_flight = std::max(end.counts.most_in_flight, static_cast<int>(++end.under_way));
  channels_->send_to({end.peer, end.number}, ChannelMessage::data, {std::exchange(end.owed, 0)},
                     Body::copy_of(message));
}

bool Channel::can_recv() {
  if (end_->plan.mode == ChannelMode::racy) return true;
  if (end_->batch == 0) channels_->rank_.poll();
  return end_->batch > 0;
}

bool Channel::recv(std::span<std::byte> message) {
  End& end = *end_;
  if (message.size() != end.plan.message_bytes)
    throw Error(Status::bad_input, "a message is received into " + std::to_string(message.size()) +
                                       " bytes, the channel carries " +
                                       std::to_string(end.plan.message_bytes));
  if (!can_recv()) return false;
  ++end.counts.received;
  if (end.plan.mode == ChannelMode::racy) {
    channels_->words_->load_words(end.room, end.plan.word_bytes, message);
    return true;
  }
  if (!message.empty()) std::memcpy(message.data(), end.newest.data(), message.size());
  end.newest = {};
  ++end.counts.batches[static_cast<std::size_t>(
      std::min<std::int64_t>(end.batch, std::ssize(end.counts.batches)) - 1)];
  end.batch = 0;
  return true;
}

void Channel::wait() {
  const End& end = *end_;
  if (end.plan.mode == ChannelMode::racy) return;
  channels_->wait_until([&] { return end.batch > 0 || end.is_closed; });
  if (end.batch == 0)
    throw Error(Status::bad_input, "rank " + std::to_string(channels_->rank_.rank()) +
                                       " waits for a message of rank " + std::to_string(end.peer) +
                                       ", which destroys the channel and sends no more");
}

void Channel::start_destroy() {
  End& end = *end_;
  end.is_closing = true;
  if (end.plan.mode == ChannelMode::racy) channels_->words_->flush(end.peer);
  channels_->send_to({end.peer, end.number}, ChannelMessage::close,
                     {end.counts.sent, std::exchange(end.owed, 0)}, {});
}

/// The lane is first in, first out: the peer's `close` arrives after all its messages, and when all of mine are acknowledged they
/// have arrived, too. Then no message is under way.
ChannelCounts Channel::destroy() {
  if (!end_->is_closing) start_destroy();
  const std::shared_ptr<End> end = std::move(end_);
  channels_->wait_until([&] { return end->is_closed && end->under_way == 0; });
  channels_->ends_.erase({end->peer, end->number});
  if (end->plan.mode == ChannelMode::async && end->counts.arrived != end->peer_sent)
    throw Error(Status::internal, "a channel ends with " + std::to_string(end->counts.arrived) + " of " +
                                      std::to_string(end->peer_sent) + " messages arrived");
  return end->counts;
}

const ChannelCounts& Channel::counts() const { return end_->counts; }
const ChannelPlan& Channel::plan() const { return end_->plan; }

}  // namespace overlapack::comm
