#include "comm/mailbox/inbox.hpp"

#include "comm/mailbox/sequence.hpp"
#include "comm/receive.hpp"

#include <algorithm>

namespace overlapack::comm {

namespace {

const Message& arrived_in(const Recv& receive) { return receive.operation()->message; }

}  // namespace

Inbox::Inbox(Rank& rank, Lane lane, const InboxOptions& options)
    : rank_(rank), lane_(lane), options_(options) {
  if (options_.receive == ReceiveMode::probe) return;
  if (options_.posted < 1)
    throw Error(Status::bad_plan, "an immediate inbox needs at least one posted receive; set posted >= 1");
  post();
  progress_ = rank_.on_progress([this] { park_and_repost(); });
}

void Inbox::post() {
  // a single rank receives only its own messages
  const std::size_t wanted = rank_.size() == 1 ? 1 : static_cast<std::size_t>(options_.posted);
  while (posted_.size() < wanted && parked_bytes_ < options_.parked_bytes)
    posted_.push_back(rank_.post_receive(lane_));
}

/// Whether a complete receive may be parked while a receive that was posted earlier is pending. The pending one may still get an
/// earlier message of the same sender, so this one may overtake only if it is numbered, so that order can be restored, or if the
/// inbox keeps no order.
bool Inbox::may_overtake(const Recv& receive) const {
  return !options_.in_order || arrived_in(receive).header.sequence != 0;
}

/// Move complete receives from posted_ to parked_; true if there was one.
bool Inbox::move_complete_to_parked() {
  bool is_open_before = false, has_parked = false;
  for (auto r = posted_.begin(); r != posted_.end();) {
    if (!r->pending() && (!is_open_before || may_overtake(*r))) {
      parked_bytes_ += arrived_in(*r).body.size();
      parked_.push_back(std::move(*r));
      r = posted_.erase(r);
      has_parked = true;
    } else {
      is_open_before = true;
      ++r;
    }
  }
  most_parked_bytes_ = std::max(most_parked_bytes_, parked_bytes_);
  return has_parked;
}

/// Park complete receives and post new ones until all posted receives are pending. A new receive may complete at once, with a message
/// that had already arrived; such a completion wakes no wait. Without the loop, the rank could sleep for messages of another lane while
/// senders wait for a receive here.
void Inbox::park_and_repost() {
  if (held_.use_count() > 1) return;  // a wait has pointers to the receives
  post();
  while (move_complete_to_parked()) post();
}

/// The first parked message that is its sender's next.
std::deque<Recv>::iterator Inbox::find_next_in_order() {
  return std::find_if(parked_.begin(), parked_.end(), [this](const Recv& r) {
    const Message& m = arrived_in(r);
    return !options_.in_order || m.header.sequence == 0 ||
           m.header.sequence == next_sequence_.try_emplace(m.source, 1).first->second;
  });
}

std::optional<Message> Inbox::remove_next_in_order() {
  const auto next = find_next_in_order();
  if (next == parked_.end()) return std::nullopt;
  Message message = next->take();
  parked_.erase(next);
  parked_bytes_ -= message.body.size();
  if (message.header.sequence != 0) next_sequence_[message.source] = next_sequence(message.header.sequence);
  ++received_;
  return message;
}

/// Paper 1, Algorithm 1: receive a message found by a probe, blocking until it is complete.
Message Inbox::receive_probed(int source) {
  ++received_;
  return receive(rank_, lane_, source);
}

std::optional<Message> Inbox::receive_if_any() {
  if (options_.receive == ReceiveMode::probe) {
    const auto source = rank_.probe(lane_);
    if (!source) return std::nullopt;
    return receive_probed(*source);
  }
  rank_.poll();  // runs park_and_repost
  auto message = remove_next_in_order();
  if (message) post();
  return message;
}

Message Inbox::wait() {
  for (;;) {
    if (auto message = receive_if_any()) return *std::move(message);
    std::vector<Request*> requests;
    LaneSet probes;
    auto held = add_waits(requests, probes);
    rank_.wait_any(requests, probes);
  }
}

void Inbox::set_handler(Kind kind, std::function<void(Message&&)> handler) {
  handlers_[kind] = std::move(handler);
}

std::size_t Inbox::dispatch_arrived() {
  std::size_t served = 0;
  while (auto message = receive_if_any()) {
    const auto handler = handlers_.find(message->header.kind);
    if (handler == handlers_.end())
      throw Error(Status::internal,
                  "no handler is registered for messages of kind " + std::to_string(message->header.kind));
    handler->second(std::move(*message));
    ++served;
  }
  return served;
}

std::shared_ptr<const void> Inbox::add_waits(std::vector<Request*>& requests, LaneSet& probes) {
  if (options_.receive == ReceiveMode::probe) probes.add(lane_);
  if (const auto next = find_next_in_order(); next != parked_.end())
    requests.push_back(&*next);  // already complete: the wait returns at once
  bool is_open_before = false;
  for (Recv& r : posted_) {
    const bool must_wait = !r.pending() && is_open_before && !may_overtake(r);  // see move_complete_to_parked
    if (!must_wait) requests.push_back(&r);
    is_open_before = is_open_before || r.pending();
  }
  return held_;
}

void Inbox::set_posted_receives(int receives) { options_.posted = std::max(options_.posted, receives); }

void Inbox::close() {
  progress_.reset();
  bool is_lost = !parked_.empty();
  for (Recv& r : posted_) {
    if (r.pending()) rank_.cancel(r);
    is_lost = is_lost || r;
  }
  posted_.clear();
  if (is_lost)
    throw Error(Status::internal, "an inbox was closed although a message had arrived that nobody took");
}

}  // namespace overlapack::comm
