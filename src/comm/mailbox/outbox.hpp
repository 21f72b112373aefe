#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/rank.hpp"

#include <deque>
#include <map>

namespace overlapack::comm {

struct OutboxOptions {
  /// bytes that may be under way; 0: twice the largest message so far (paper 1)
  std::size_t budget_bytes = 0;
  /// woken by its messages while the budget is full, so that they can be served
  WaitSource* inbox = nullptr;
};

/// Sends on one lane with a byte budget: the bytes stay owned until the engine is done with them. When the
/// budget is full the producer serves its own inbox until there is room (paper 1, section 4.1, situation 3),
/// which is what keeps two full ranks from waiting for each other for ever. A message above the budget goes alone.
class Outbox {
 public:
  Outbox(Rank& rank, Lane lane, const OutboxOptions& options = {});
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Start the send, numbered in its pair and lane. While there is no room, on_full is called whenever
  /// something may have arrived: it serves the inbox and neither blocks nor sends.
  /// Errors  Internal when called from inside on_full
  void send(int to, Header header, Body body, FunctionRef<void()> on_full);
  /// Wait until every send is complete, calling on_full meanwhile.
  void drain(FunctionRef<void()> on_full);

  std::size_t bytes_under_way() const { return under_way_bytes_; }
  std::size_t most_bytes() const { return most_bytes_; }
  std::size_t largest_message_bytes() const { return largest_bytes_; }
  std::int64_t sent() const { return sent_; }
  std::int64_t times_full() const { return times_full_; }

 private:
  struct Sending {
    Send send;
    std::size_t bytes;
  };
  void release();
  bool has_room(std::size_t bytes) const;
  void wait_for_change(FunctionRef<void()> on_full);

  Rank& rank_;
  Lane lane_;
  OutboxOptions options_;
  std::deque<Sending> under_way_;
  std::map<int, std::uint32_t> sequence_;
  std::size_t under_way_bytes_ = 0;
  std::size_t most_bytes_ = 0;
  std::size_t largest_bytes_ = 0;
  std::int64_t sent_ = 0;
  std::int64_t times_full_ = 0;
  bool held_ = false;     ///< a wait looks at under_way_
  bool serving_ = false;  ///< inside on_full
  std::shared_ptr<void> progress_;
};

}  // namespace overlapack::comm
