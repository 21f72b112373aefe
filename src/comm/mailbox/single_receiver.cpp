#include "comm/mailbox/single_receiver.hpp"

#include "comm/receive.hpp"

#include <utility>

namespace overlapack::comm {

SingleReceiver::SingleReceiver(Rank& rank, Lane lane, ReceiveMode receive, Treat treat)
    : rank_(rank), lane_(lane), receive_(receive), treat_(std::move(treat)) {
  post();
}

/// Numbers at the ends of lines are those of Algorithm 4 in paper 1. The paper probes to find out whether a nested call in line 13 has
/// handled the late message (lines 7, 16 and 18); here has_come() tells, so that line 7 need not wait.
bool SingleReceiver::try_to_receive_and_treat(bool blocking, const LateMessage* late) {
  bool received = false;       // 0
  if (pending_) {              // 1
    if (blocking)              // 2
      wait(rank_, *pending_);  // 3
    else
      rank_.poll();
    received = !pending_->pending();  // 4, 9
    if (received) {                   // 11
      Message message = std::exchange(pending_, std::nullopt)->take();
      const bool may_be_wrong = late != nullptr;      // 5, 6
      suppressed_ += may_be_wrong;                    // 12
      treat_(std::move(message));                     // 13
      suppressed_ -= may_be_wrong;                    // 15
      if (late && !late->has_come())                  // 14, 16
        treat_(receive(rank_, lane_, late->source));  // 17
    }
  } else if (blocking) {                                            // 23
    treat_(receive(rank_, lane_, late ? late->source : any_rank));  // 24, 25
    received = true;
  } else if (const auto source = rank_.probe(lane_)) {  // 26
    treat_(receive(rank_, lane_, *source));             // 27, 28
    received = true;
  }
  if (!pending_ && suppressed_ == 0) post();  // 31
  return received;
}

void SingleReceiver::receive_late(const LateMessage& late) {
  while (!late.has_come()) try_to_receive_and_treat(true, &late);
}

void SingleReceiver::post() {
  if (receive_ == ReceiveMode::probe) return;
  before_posting_();                     // 32
  pending_ = rank_.post_receive(lane_);  // 33
}

std::shared_ptr<const void> SingleReceiver::add_waits(std::vector<Request*>& requests, LaneSet& probes) {
  if (pending_)
    requests.push_back(&*pending_);
  else
    probes.add(lane_);
  return nullptr;
}

void SingleReceiver::close() {
  if (!pending_) return;
  if (pending_->pending()) rank_.cancel(*pending_);
  const bool is_lost = static_cast<bool>(*pending_);
  pending_.reset();
  if (is_lost) throw Error(Status::internal, "it was closed although a message had arrived that nobody took");
}

}  // namespace overlapack::comm
