#include "comm/channel/end.hpp"

#include <algorithm>
#include <cstring>

namespace overlapack::comm {

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
  if (end.plan.mode == ChannelMode::racy) {
    ++end.counts.sent;
    return channels_->words_->store_words(end.peer, end.peer_room, end.plan.word_bytes, message);
  }
  if (!can_send()) channels_->wait_until([&] { return end.under_way < end.plan.max_messages; });
  ++end.counts.sent;
  end.counts.most_in_flight = std::max(end.counts.most_in_flight, static_cast<int>(++end.under_way));
  if (end.slots) {
    ++end.counts.put;
    return end.slots->put_in_free_slot(end.counts.sent - 1, message);
  }
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
  if (end.slots && end.owed > 0) {
    std::ranges::copy(end.slots->message(end.counts.arrived - 1), message.begin());
    end.acknowledge_slots();
  } else if (!message.empty()) {
    std::memcpy(message.data(), end.newest.data(), message.size());
  }
  end.newest = {};
  ++end.counts.batches[static_cast<std::size_t>(
      std::min<std::int64_t>(end.batch, std::ssize(end.counts.batches)) - 1)];
  end.batch = 0;
  return true;
}

void Channel::wait() {
  const End& end = *end_;
  if (end.plan.mode == ChannelMode::racy) return;
  channels_->wait_until([&] { return end.batch > 0 || end.has_ended(); });
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
                     {end.counts.sent, end.slots ? 0 : std::exchange(end.owed, 0)}, {});
}

/// The lane is first in, first out, so that the peer's `close` arrives after all its messages. My messages have arrived when all are
/// acknowledged. Then no message is under way. Puts do not travel on the lane: they have arrived when their count says so.
ChannelCounts Channel::destroy() {
  if (!end_->is_closing) start_destroy();
  const std::shared_ptr<End> end = std::move(end_);
  channels_->wait_until([&] { return end->has_ended() && end->under_way == 0; });
  channels_->ends_.erase({end->peer, end->number});
  if (end->plan.mode == ChannelMode::async) channels_->add_expected_messages(-end->plan.max_messages);
  if (end->plan.mode != ChannelMode::racy && !end->has_all_messages())
    throw Error(Status::internal, "a channel ends with " + std::to_string(end->counts.arrived) + " of " +
                                      std::to_string(end->peer_sent) + " messages arrived");
  return end->counts;
}

const ChannelCounts& Channel::counts() const { return end_->counts; }
const ChannelPlan& Channel::plan() const { return end_->plan; }

}  // namespace overlapack::comm
