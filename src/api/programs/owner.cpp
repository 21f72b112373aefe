#include "api/programs/owner.hpp"

#include "comm/collective/collective.hpp"

#include <algorithm>

namespace overlapack::channels {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(Status::bad_input, message); }

comm::ChannelPlan plan_of(const ChannelOptions& options) {
  return {.message_bytes = options.message_bytes,
          .max_messages = options.max_messages,
          .mode = options.mode == Mode::racy ? comm::ChannelMode::racy : comm::ChannelMode::async,
          .word_bytes = options.word_bytes};
}

}  // namespace

Counts sum_of_counts(const Counts& a, const Counts& b) {
  return {.ends = a.ends + b.ends,
          .sent = a.sent + b.sent,
          .skipped = a.skipped + b.skipped,
          .arrived = a.arrived + b.arrived,
          .received = a.received + b.received,
          .overwritten = a.overwritten + b.overwritten,
          .most_in_flight = std::max(a.most_in_flight, b.most_in_flight)};
}

comm::Channels& Channel::Owner::all_channels() {
  if (is_over_) refuse("the program of this process has ended; create channels inside of the next one");
  if (!channels_) channels_.emplace(rank);
  return *channels_;
}

int Channel::Owner::start(int peer, const ChannelOptions& channel_options,
                          std::span<const std::byte> initial) {
  comm::Channel channel = all_channels().start_create(peer, plan_of(channel_options), initial);
  ends_.push_back({.channel = std::move(channel), .peer = peer});
  return static_cast<int>(ends_.size()) - 1;
}

Channel::Owner::Held& Channel::Owner::require_end(int number) {
  if (is_over_) refuse("the program of this channel has ended; create channels inside of the next one");
  if (number < 0 || number >= static_cast<int>(ends_.size()))
    refuse("rank " + std::to_string(rank.rank()) + " has no channel " + std::to_string(number) +
           "; give one that it has created");
  Held& end = ends_[static_cast<std::size_t>(number)];
  if (end.state == State::destroyed)
    refuse("channel " + std::to_string(number) + " of rank " + std::to_string(rank.rank()) + ", to rank " +
           std::to_string(end.peer) + ", was destroyed; create another one");
  return end;
}

void Channel::Owner::finish(int number) {
  Held& end = require_end(number);
  if (end.state != State::started)
    refuse("channel " + std::to_string(number) + " of rank " + std::to_string(rank.rank()) +
           " waits for no finish_create; call it once, after start_create");
  all_channels().finish_create(end.channel);
  end.state = State::open;
}

comm::Channel& Channel::Owner::require_usable_channel(int number) {
  Held& end = require_end(number);
  if (end.state == State::started || end.state == State::ending)
    refuse("channel " + std::to_string(number) + " of rank " + std::to_string(rank.rank()) + ", to rank " +
           std::to_string(end.peer) +
           (end.state == State::started ? ", is not finished; call finish_create first"
                                        : ", is about to end; call destroy"));
  return end.channel;
}

void Channel::Owner::start_destroy(int number) {
  require_usable_channel(number).start_destroy();
  require_end(number).state = State::ending;
}

void Channel::Owner::destroy(int number) {
  Held& end = require_end(number);
  if (end.state != State::ending) start_destroy(number);
  end.last = end.channel.counts();
  end.state = State::destroyed;  // even if the peer's error ends the wait
  end.last = end.channel.destroy();
}

Counts Channel::Owner::counts(int number) const {
  const Held& end = ends_.at(static_cast<std::size_t>(number));
  const comm::ChannelCounts& c = end.state == State::destroyed ? end.last : end.channel.counts();
  return {.ends = 1,
          .sent = c.sent,
          .skipped = end.skipped,
          .arrived = c.arrived,
          .received = c.received,
          .overwritten = c.overwritten,
          .most_in_flight = c.most_in_flight};
}

bool Channel::Owner::has_racy() const {
  return std::ranges::any_of(ends_, [](const Held& end) {
    return end.state != State::destroyed && end.channel.plan().mode == comm::ChannelMode::racy;
  });
}

void Channel::Owner::make_racy_room(std::size_t bytes) {
  require_no_detector("make_racy_room");
  if (has_racy())
    refuse("rank " + std::to_string(rank.rank()) +
           " makes room for racy messages while it has a racy channel; destroy that one first");
  racy_room_ = bytes;
  all_channels().make_room(bytes);
}

void Channel::Owner::require_no_detector(std::string_view for_what) const {
  if (!has_detector_ && !was_detector_left_) return;
  const std::string who = "rank " + std::to_string(rank.rank());
  refuse(who +
         (has_detector_ ? " has a detector, which must be over" : " has left a detector before it was over") +
         (has_detector_
              ? " and gone before " + std::string(for_what)
              : ", so that " + std::string(for_what) + " cannot follow; call is_over until it is true"));
}

void Channel::Owner::begin_detector(std::function<void()> leave) {
  require_no_detector("another one");
  has_detector_ = true;
  leave_detector_ = std::move(leave);
}

void Channel::Owner::end_detector(bool was_over) {
  has_detector_ = false;
  leave_detector_ = {};
  was_detector_left_ = !was_over;
}

void Channel::Owner::release_lane(std::string_view for_what) {
  require_no_detector(for_what);
  const auto open =
      std::ranges::find_if(ends_, [](const Held& end) { return end.state != State::destroyed; });
  if (open != ends_.end())
    refuse("rank " + std::to_string(rank.rank()) + " has a channel to rank " + std::to_string(open->peer) +
           ", which must be destroyed before " + std::string(for_what));
  all_channels().close();
  channels_.reset();
}

void Channel::Owner::reclaim_lane() {
  if (racy_room_) all_channels().make_room(*racy_room_);
}

Counts Channel::Owner::end() {
  require_no_detector("the end of the program");
  all_channels().forbid_new_channels();
  comm::collective::barrier(rank);  // meanwhile a channel that a peer alone creates is seen
  all_channels().close();
  Counts sum;
  for (int number = 0; number < static_cast<int>(ends_.size()); ++number)
    sum = sum_of_counts(sum, counts(number));
  return sum;
}

void Channel::Owner::drop_channels() noexcept {
  is_over_ = true;
  if (leave_detector_) leave_detector_();
  for (Held& end : ends_) {
    if (end.state == State::destroyed) continue;
    end.last = end.channel.counts();
    end.state = State::destroyed;
    end.channel = {};
  }
  channels_.reset();
}

}  // namespace overlapack::channels
