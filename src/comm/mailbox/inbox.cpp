#include "comm/mailbox/inbox.hpp"

#include <algorithm>

namespace overlapack::comm {

Inbox::Inbox(Rank& rank, Lane lane, const InboxOptions& options)
    : rank_(rank), lane_(lane), options_(options) {
  if (options_.receive == ReceiveMode::probe) return;
  if (options_.posted < 1)
    throw Error(ErrorKind::bad_plan, "inbox",
                "an immediate inbox needs at least one posted receive; set posted >= 1");
  post();
  progress_ = rank_.on_progress([this] { collect(); });
}

void Inbox::post() {
  const auto wanted = static_cast<std::size_t>(options_.posted);
  while (posted_.size() < wanted && parked_bytes_ < options_.parked_bytes)
    posted_.push_back(rank_.post_receive(lane_));
}

/// Move finished receives out of the way and post new ones. A message without a number may only overtake
/// receives posted after its own: those before it are still open and may belong to its sender.
void Inbox::collect() {
  if (held_.use_count() > 1) return;
  bool is_open_before = false;
  for (auto r = posted_.begin(); r != posted_.end();) {
    const bool done = !r->pending();
    if (done && (!is_open_before || r->operation()->message.header.sequence != 0)) {
      Message message = r->take();
      r = posted_.erase(r);
      park(std::move(message));
    } else {
      is_open_before = true;
      ++r;
    }
  }
  post();
}

void Inbox::park(Message&& message) {
  parked_bytes_ += message.body.size();
  most_parked_bytes_ = std::max(most_parked_bytes_, parked_bytes_);
  parked_.push_back(std::move(message));
}

/// The first parked message that is its sender's next.
std::optional<Message> Inbox::next_parked() {
  for (auto m = parked_.begin(); m != parked_.end(); ++m) {
    if (m->header.sequence != 0) {
      std::uint32_t& next = next_sequence_.try_emplace(m->source, 1).first->second;
      if (m->header.sequence != next) continue;
      ++next;
    }
    Message message = std::move(*m);
    parked_.erase(m);
    parked_bytes_ -= message.body.size();
    ++received_;
    return message;
  }
  return std::nullopt;
}

Message Inbox::receive_probed(const Envelope& envelope) {
  Recv receive = rank_.post_receive(lane_, envelope.source);
  Request* const request = &receive;
  rank_.wait_any({&request, 1});
  ++received_;
  return receive.take();
}

std::optional<Message> Inbox::try_receive() {
  if (options_.receive == ReceiveMode::probe) {
    const auto envelope = rank_.probe(lane_);
    if (!envelope) return std::nullopt;
    return receive_probed(*envelope);
  }
  rank_.poll();  // runs collect
  auto message = next_parked();
  if (message) post();
  return message;
}

Message Inbox::wait() { return *wait_until(no_deadline); }

std::optional<Message> Inbox::wait_until(double deadline) {
  for (;;) {
    if (auto message = try_receive()) return message;
    std::vector<Request*> requests;
    LaneSet probes;
    auto held = add_waits(requests, probes);
    const Woken woken = rank_.wait_any(requests, probes, deadline);
    held.reset();
    if (woken.by == Woken::By::deadline) return try_receive();
  }
}

void Inbox::on(std::int32_t kind, std::function<void(Message&&)> handler) {
  handlers_[kind] = std::move(handler);
}

std::size_t Inbox::serve() {
  std::size_t served = 0;
  while (auto message = try_receive()) {
    const auto handler = handlers_.find(message->header.kind);
    if (handler == handlers_.end())
      throw Error(ErrorKind::internal, "inbox",
                  "no handler is registered for messages of kind " + std::to_string(message->header.kind));
    handler->second(std::move(*message));
    ++served;
  }
  return served;
}

std::shared_ptr<const void> Inbox::add_waits(std::vector<Request*>& requests, LaneSet& probes) {
  if (options_.receive == ReceiveMode::probe) probes.add(lane_);
  for (Recv& r : posted_)
    if (r.pending()) requests.push_back(&r);
  return held_;
}

void Inbox::close() {
  progress_.reset();
  bool is_lost = !parked_.empty();
  for (Recv& r : posted_) {
    if (r.pending()) rank_.cancel(r);
    is_lost = is_lost || r;
  }
  posted_.clear();
  if (is_lost)
    throw Error(ErrorKind::internal, "inbox",
                "an inbox was closed although a message had arrived that nobody took");
}

}  // namespace overlapack::comm
