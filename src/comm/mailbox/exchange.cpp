#include "comm/mailbox/exchange.hpp"

#include "base/scoped_true.hpp"

#include <algorithm>
#include <limits>

namespace overlapack::comm {

namespace {

/// Keys identify messages, so they need no order.
InboxOptions without_order(InboxOptions options) {
  options.in_order = false;
  return options;
}

Header header_of(const Key& key) { return {.kind = key.move, .id = {key.step, key.part, key.piece}}; }
Key key_of(const Header& header) { return {header.kind, header.id[0], header.id[1], header.id[2]}; }

[[noreturn]] void misuse_of_key(int from, const Key& key, const std::string& what) {
  throw Error(Status::internal, "the message of move " + std::to_string(key.move) + ", step " +
                                    std::to_string(key.step) + ", part " + std::to_string(key.part) +
                                    ", piece " + std::to_string(key.piece) + " from rank " +
                                    std::to_string(from) + " " + what);
}

}  // namespace

Exchange::Exchange(Rank& rank, Lane lane, const InboxOptions& options)
    : rank_(rank), lane_(lane), inbox_(rank, lane, without_order(options)) {
  progress_ = rank_.on_progress([this] {
    if (!is_waiting_) overlapped_ += receive_arrived();
  });
}

void Exchange::send(int to, const Key& key, Body body) {
  rank_.start_send(lane_, to, header_of(key), std::move(body));
}

void Exchange::call_when_arrived(int from, const Key& key, std::function<void(Message&&)> then) {
  const auto parked = parked_.find({from, key});
  if (parked == parked_.end()) {
    if (!expected_.try_emplace({from, key}, std::move(then)).second)
      misuse_of_key(from, key, "was asked for twice");
    return;
  }
  Message message = std::move(parked->second);
  parked_.erase(parked);
  parked_bytes_ -= message.body.size();
  call_handler(then, std::move(message));
}

Message Exchange::receive(int from, const Key& key) {
  const auto got = std::make_shared<std::optional<Message>>();  // outlives an error thrown while waiting
  call_when_arrived(from, key, [got](Message&& message) { *got = std::move(message); });
  wait_until([&] { return got->has_value(); });
  return std::move(**got);
}

std::optional<std::int64_t> Exchange::step_of_early_message(int from, Kind move, std::int64_t part) const {
  for (auto at =
           parked_.lower_bound({from, {.move = move, .step = std::numeric_limits<std::int64_t>::min()}});
       at != parked_.end() && std::get<int>(at->first) == from && std::get<Key>(at->first).move == move; ++at)
    if (const Key& key = std::get<Key>(at->first); key.part == part) return key.step;
  return std::nullopt;
}

void Exchange::wait_until(FunctionRef<bool()> is_done) {
  if (is_in_then_) throw Error(Status::internal, "what is called when a message arrives may not wait");
  const ScopedTrue waiting(is_waiting_);
  while (!is_done()) {
    if (receive_arrived() > 0) continue;
    std::vector<Request*> requests;
    LaneSet probes;
    const auto held = inbox_.add_waits(requests, probes);
    rank_.wait_any(requests, probes);
  }
}

/// Handle or store all arrived messages; returns how many.
std::int64_t Exchange::receive_arrived() {
  std::int64_t count = 0;
  for (; auto message = inbox_.receive_if_any(); ++count) store_or_deliver(std::move(*message));
  return count;
}

/// Call the handler of a message; if there is none yet, store the message under its key.
void Exchange::store_or_deliver(Message&& message) {
  const Name name{message.source, key_of(message.header)};
  if (auto asked = expected_.extract(name)) return call_handler(asked.mapped(), std::move(message));
  ++early_;
  parked_bytes_ += message.body.size();
  most_parked_bytes_ = std::max(most_parked_bytes_, parked_bytes_);
  const int from = message.source;
  if (!parked_.try_emplace(name, std::move(message)).second)
    misuse_of_key(from, std::get<Key>(name), "came twice");
}

void Exchange::call_handler(const std::function<void(Message&&)>& then, Message&& message) {
  const ScopedTrue inside(is_in_then_);
  then(std::move(message));
}

void Exchange::close() {
  progress_.reset();
  inbox_.close();
  for (const auto& [name, message] : parked_)
    misuse_of_key(std::get<int>(name), std::get<Key>(name), "was never asked for");
  for (const auto& [name, then] : expected_)
    misuse_of_key(std::get<int>(name), std::get<Key>(name), "never came");
}

}  // namespace overlapack::comm
