#include "comm/mailbox/outbox.hpp"

#include "base/scoped_true.hpp"
#include "comm/mailbox/sequence.hpp"

#include <algorithm>

namespace overlapack::comm {

Outbox::Outbox(Rank& rank, Lane lane, const OutboxOptions& options)
    : rank_(rank), lane_(lane), options_(options), largest_bytes_(options.largest_bytes) {
  progress_ = rank_.on_progress([this] { release(); });
}

void Outbox::release() {
  if (held_) return;
  std::erase_if(under_way_, [this](Sending& s) {
    if (s.send.pending()) return false;
    under_way_bytes_ -= s.bytes;
    return true;
  });
}

bool Outbox::has_room(std::size_t bytes) const {
  const std::size_t budget = options_.budget_bytes ? options_.budget_bytes : 2 * largest_bytes_;
  return under_way_.empty() || under_way_bytes_ + bytes <= budget;
}

/// Wait until a send completes or a message arrives, then call on_full.
void Outbox::wait_for_change(FunctionRef<void()> on_full) {
  std::vector<Request*> requests;
  LaneSet probes{lane_};
  for (Sending& s : under_way_) requests.push_back(&s.send);
  {
    const ScopedTrue held(held_);  // release() must not move the requests
    std::shared_ptr<const void> inbox_held;
    if (options_.inbox) inbox_held = options_.inbox->add_waits(requests, probes);
    rank_.wait_any(requests, probes);
  }
  const ScopedTrue serving(serving_);
  on_full();
  release();
}

void Outbox::send(int to, Header header, Body body, FunctionRef<void()> on_full) {
  if (serving_)
    throw Error(Status::internal, "a message was sent while the outbox was full; handlers may not send");
  const std::size_t bytes = body.size();
  largest_bytes_ = std::max(largest_bytes_, bytes);
  release();
  if (!has_room(bytes)) ++times_full_;
  while (!has_room(bytes)) wait_for_change(on_full);
  header.sequence = sequence_[to] = next_sequence(sequence_[to]);
  Send send = rank_.start_send(lane_, to, header, std::move(body));
  ++sent_;
  if (!send.pending()) return;
  under_way_.push_back({std::move(send), bytes});
  under_way_bytes_ += bytes;
  most_bytes_ = std::max(most_bytes_, under_way_bytes_);
}

void Outbox::drain(FunctionRef<void()> on_full) {
  for (release(); !under_way_.empty();) wait_for_change(on_full);
}

}  // namespace overlapack::comm
