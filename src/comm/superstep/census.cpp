#include "comm/superstep/census.hpp"

#include "comm/superstep/message_kinds.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace overlapack::comm::superstep {
namespace {

void merge(Extremes& mine, const Extremes& other) {
  // If values are equal the smallest process counts, so that all processes get the same result in whatever order they merge.
  if (std::pair(other.low, other.low_process) < std::pair(mine.low, mine.low_process)) {
    mine.low = other.low;
    mine.low_process = other.low_process;
  }
  if (std::pair(-other.high, other.high_process) < std::pair(-mine.high, mine.high_process)) {
    mine.high = other.high;
    mine.high_process = other.high_process;
  }
}

void merge(Meeting& mine, const Meeting& other) {
  for (std::size_t c = 0; c < claim_count; ++c) merge(mine.claims[c], other.claims[c]);
  mine.words = std::max(mine.words, other.words);
  mine.messages = std::max(mine.messages, other.messages);
  mine.work_s = std::max(mine.work_s, other.work_s);
  mine.arrival_s = std::max(mine.arrival_s, other.arrival_s);
  mine.span_begin_s = std::max(mine.span_begin_s, other.span_begin_s);
  mine.span_end_s = std::max(mine.span_end_s, other.span_end_s);
}

SharedCall shared(int process, const RegistrationCall& call) {
  SharedCall shared{.is_null_everywhere = call.is_null ? 1 : 0};
  const std::int64_t said = 2 * call.slot + (call.is_pop ? 1 : 0);
  shared.said = {said, said, process, process};
  if (call.slot < 0) {
    shared.said.low = std::numeric_limits<std::int64_t>::max();
    shared.said.high = -1;
  }
  return shared;
}

void merge(std::vector<SharedCall>& mine, std::span<const SharedCall> theirs) {
  const std::size_t both = std::min(mine.size(), theirs.size());
  for (std::size_t i = 0; i < both; ++i) {
    merge(mine[i].said, theirs[i].said);
    mine[i].is_null_everywhere = std::min(mine[i].is_null_everywhere, theirs[i].is_null_everywhere);
  }
  for (const SharedCall& call : theirs.subspan(both)) mine.push_back(call);
}

bool is_sent_in_round(std::size_t distance, std::size_t round) { return distance >> round & 1u; }

}  // namespace

Meeting meeting_of(int process, const std::array<std::int64_t, claim_count>& claims) {
  Meeting meeting;
  for (std::size_t c = 0; c < claim_count; ++c) meeting.claims[c] = {claims[c], claims[c], process, process};
  return meeting;
}

Census::Census(Exchange& exchange, std::span<const int> ranks, int me)
    : exchange_(exchange),
      ranks_(ranks.begin(), ranks.end()),
      me_(me),
      flags_(ranks.size()),
      arrived_(static_cast<std::size_t>(std::bit_width(ranks.size() - 1))),
      next_(arrived_.size()) {}

int Census::process_at(std::size_t distance) const {
  return static_cast<int>((static_cast<std::size_t>(me_) + distance) % ranks_.size());
}

void Census::start(std::int64_t number, const std::vector<bool>& sends_to, const Meeting& mine,
                   std::span<const RegistrationCall> calls) {
  number_ = number;
  meeting_ = mine;
  calls_.clear();
  for (const RegistrationCall& call : calls) calls_.push_back(shared(me_, call));
  next_ = 0;
  for (std::size_t d = 0; d < flags_.size(); ++d)
    flags_[d] = sends_to[static_cast<std::size_t>(process_at(d))] ? 1 : 0;
  if (!is_done()) send_round();
  for (std::size_t round = 0; round < arrived_.size(); ++round)
    exchange_.call_when_arrived(
        ranks_[static_cast<std::size_t>(process_at(flags_.size() - (std::size_t{1} << round)))],
        key_of(round), [this, round](Message&& message) {
          arrived_[round] = std::move(message.body);
          advance_rounds();
        });
}

Key Census::key_of(std::size_t round) const {
  return {SyncMessage::census, number_, static_cast<std::int64_t>(round)};
}

/// Send the meeting as known so far, the flags that travel by 2^round in this round, and the registration calls.
void Census::send_round() {
  std::vector<std::byte> bytes(sizeof meeting_);
  std::memcpy(bytes.data(), &meeting_, sizeof meeting_);
  for (std::size_t d = 0; d < flags_.size(); ++d)
    if (is_sent_in_round(d, next_)) bytes.push_back(static_cast<std::byte>(flags_[d]));
  const std::span<const std::byte> calls = std::as_bytes(std::span(calls_));
  bytes.insert(bytes.end(), calls.begin(), calls.end());
  const int to = process_at(std::size_t{1} << next_);
  exchange_.send(ranks_[static_cast<std::size_t>(to)], key_of(next_), Body::adopt(std::move(bytes)));
}

/// Process arrived rounds in order (messages may arrive out of order), and send the next round after each.
void Census::advance_rounds() {
  while (!is_done() && !arrived_[next_].empty()) {
    merge_received(std::exchange(arrived_[next_], Body()));
    ++next_;
    if (!is_done()) send_round();
  }
}

void Census::merge_received(const Body& body) {
  Meeting theirs;
  std::memcpy(&theirs, body.data(), sizeof theirs);
  merge(meeting_, theirs);
  const std::byte* flag = body.data() + sizeof theirs;
  for (std::size_t d = 0; d < flags_.size(); ++d)
    if (is_sent_in_round(d, next_)) flags_[d] = static_cast<std::uint8_t>(*flag++);
  std::vector<SharedCall> calls(static_cast<std::size_t>(body.data() + body.size() - flag) /
                                sizeof(SharedCall));
  if (!calls.empty()) std::memcpy(calls.data(), flag, calls.size() * sizeof(SharedCall));
  merge(calls_, calls);
}

/// A flag that travelled by the distance d came from the process at distance -d.
std::vector<int> Census::senders() const {
  std::vector<int> senders;
  for (std::size_t d = 1; d < flags_.size(); ++d)
    if (flags_[d] != 0) senders.push_back(process_at(flags_.size() - d));
  std::ranges::sort(senders);
  return senders;
}

}  // namespace overlapack::comm::superstep
