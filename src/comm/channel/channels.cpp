#include "base/scoped_true.hpp"
#include "comm/channel/end.hpp"
#include "comm/collective/collective.hpp"
#include "comm/mailbox/sequence.hpp"

#include <algorithm>

namespace overlapack::comm {

namespace {

/// Number of posted receives: for openings, acknowledgements and closings; and, at most, for data.
constexpr std::int64_t posted_for_others = 4, most_posted_for_data = 256;

std::string text_of(const ChannelPlan& plan) {
  constexpr const char* names[] = {"async", "racy", "async by puts"};
  return std::string(names[static_cast<int>(plan.mode)]) + ", " + std::to_string(plan.message_bytes) +
         " bytes, at most " + std::to_string(plan.max_messages) + " messages, words of " +
         std::to_string(plan.word_bytes) + " bytes";
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
  if (plan.mode == ChannelMode::async_puts && !rank.capabilities().orders_puts)
    refuse("the engine " + std::string(rank.capabilities().engine) +
           " does not keep the order of puts, which async_puts needs; use async");
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

std::size_t room_of(const ChannelPlan& plan) {
  switch (plan.mode) {
    case ChannelMode::async:
      return 0;
    case ChannelMode::racy:
      return rounded(plan.message_bytes);
    case ChannelMode::async_puts:
      break;
  }
  return Slots::bytes(plan.message_bytes, plan.max_messages);
}

Channels::Channels(Rank& rank, std::optional<std::size_t> room)
    : rank_(rank), inbox_(rank, Lane::channel, {.posted = posted_for_others}) {
  if (room) make_room(*room);
  progress_ = rank_.on_progress([this] {
    if (!is_waiting_) receive_arrived();
  });
}

void Channels::make_room(std::size_t bytes) {
  words_ = rank_.make_window(rounded(bytes));
  words_used_ = 0;
}

Channel Channels::create(int peer, const ChannelPlan& plan, std::span<const std::byte> initial) {
  Channel channel = start_create(peer, plan, initial);
  finish_create(channel);
  return channel;
}

Channel Channels::start_create(int peer, const ChannelPlan& plan, std::span<const std::byte> initial) {
  require_plan(rank_, peer, plan);
  const std::size_t room = plan.mode != ChannelMode::async ? reserve_room(plan, initial) : 0;
  if (plan.mode == ChannelMode::async) add_expected_messages(plan.max_messages);
  const Name name{peer, created_[peer]++};
  auto& end = ends_[name];  // the peer's announcement may have made it already
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
  if (is_same(end->plan, end->peer_plan)) {
    if (end->plan.mode == ChannelMode::async_puts)
      end->slots.emplace(*words_, end->peer, end->plan.message_bytes, end->plan.max_messages, end->room,
                         end->peer_room);
    return;
  }
  const int low = std::min(rank_.rank(), end->peer), high = std::max(rank_.rank(), end->peer);
  const bool is_low = rank_.rank() == low;
  throw Error(Status::bad_input,
              "the ends of a channel differ: rank " + std::to_string(low) + " gives " +
                  text_of(is_low ? end->plan : end->peer_plan) + ", rank " + std::to_string(high) +
                  " gives " + text_of(is_low ? end->peer_plan : end->plan) + "; give the same on both ranks");
}

/// Change the number of messages that may be under way to me by `messages`, which may be negative.
void Channels::add_expected_messages(std::int64_t messages) {
  under_way_to_me_ += messages;
  inbox_.set_posted_receives(
      static_cast<int>(posted_for_others + std::min(under_way_to_me_, most_posted_for_data)));
}

/// Allocate space for a racy message or for buffers in my window, and initialise the former.
std::size_t Channels::reserve_room(const ChannelPlan& plan, std::span<const std::byte> initial) {
  const bool is_given = plan.mode == ChannelMode::racy && !initial.empty();
  if (is_given && initial.size() != plan.message_bytes)
    throw Error(Status::bad_plan, "a racy channel begins with " + std::to_string(initial.size()) +
                                      " bytes, but its messages have " + std::to_string(plan.message_bytes) +
                                      "; give as many, or none for zeros");
  const std::size_t room = words_used_, bytes = room_of(plan);
  const std::size_t left = words_ ? words_->local().size() - room : 0;
  if (!words_ || bytes > left)
    throw Error(Status::bad_plan,
                "there is no room for " +
                    std::string(plan.mode == ChannelMode::racy ? "a racy message" : "the buffers") + " of " +
                    std::to_string(bytes) + " bytes, " + std::to_string(left) +
                    " are left; make room for the sum of all channels first");
  words_used_ += bytes;
  if (is_given) words_->store_words(rank_.rank(), room, plan.word_bytes, initial);
  return room;
}

void Channels::send_to(const Name& name, Kind kind, std::array<std::int64_t, 5> id, Body body) {
  const auto [peer, number] = name;
  const std::uint32_t sequence = sequence_[peer] = next_sequence(sequence_[peer]);
  rank_.start_send(Lane::channel, peer,
                   {.kind = kind, .sequence = sequence, .id = {number, id[0], id[1], id[2], id[3], id[4]}},
                   std::move(body));
}

/// Handle all arrived messages, and acknowledge those for which the peer cannot wait until my next message.
void Channels::receive_arrived() {
  for (auto& [name, end] : ends_) receive_from_slots(*end);
  bool has_come = false;
  for (; auto message = inbox_.receive_if_any(); has_come = true) store_or_deliver(std::move(*message));
  if (!has_come) return;
  for (auto& [name, end] : ends_)
    if (!end->slots && end->must_acknowledge_now())
      send_to(name, ChannelMessage::acknowledge, {std::exchange(end->owed, 0)}, {});
}

/// Update an end of mode async_puts from the counts beside its buffers, as messages of the lane do for the other modes.
void Channels::receive_from_slots(Channel::End& end) {
  if (!end.slots) return;
  end.under_way = end.counts.sent - end.slots->count_acknowledged();
  end.count_arrived_messages(end.slots->count_arrived() - end.counts.arrived);
  if (!end.must_acknowledge_now()) return;
  end.newest = Body::copy_of(end.slots->message(end.counts.arrived - 1));
  end.acknowledge_slots();
}

void Channels::store_or_deliver(Message&& message) {
  const Name name{message.source, message.header.id[0]};
  auto& position = ends_[name];
  // the peer announces its end before I create mine
  if (!position) position = std::make_shared<Channel::End>();
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
      end.count_arrived_messages(1);
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
    receive_arrived();
    if (is_done()) return;
    std::vector<Request*> requests;
    LaneSet probes;
    const auto held = inbox_.add_waits(requests, probes);
    std::vector<Request> counts;
    for (const auto& [name, end] : ends_) {
      if (!end->slots) continue;
      counts.push_back(end->slots->request_arrival_beyond(end->counts.arrived));
      counts.push_back(end->slots->request_acknowledgement_beyond(end->counts.sent - end->under_way));
    }
    for (Request& count : counts) requests.push_back(&count);
    rank_.wait_any(requests, probes);
  }
}

void Channels::require_created(const Name& name) const {
  if (ends_.at(name)->is_created) return;
  throw Error(Status::bad_input, "rank " + std::to_string(name.first) + " creates a channel to rank " +
                                     std::to_string(rank_.rank()) +
                                     ", which ends without its own; create it on both ranks");
}

void Channels::forbid_new_channels() {
  is_complete_ = true;
  receive_arrived();
  for (const auto& [name, end] : ends_) require_created(name);
  require_no_open_channels();
}

void Channels::require_no_open_channels() const {
  if (ends_.empty()) return;
  throw Error(Status::internal,
              "rank " + std::to_string(rank_.rank()) + " leaves " + std::to_string(ends_.size()) +
                  " of its channels open, the first one to rank " +
                  std::to_string(ends_.begin()->first.first) + "; destroy each on both of its ranks");
}

void Channels::close() {
  require_no_open_channels();
  progress_.reset();
  inbox_.close();
  collective::barrier(rank_);
}

}  // namespace overlapack::comm
