#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/rank.hpp"

#include <deque>
#include <map>

namespace overlapack::comm {

struct OutboxOptions {
  /// most bytes of bodies under way; 0: twice the largest message (paper 1)
  std::size_t budget_bytes = 0;
  /// size of the largest message to be sent, if known in advance; a larger one raises it when it is sent
  std::size_t largest_bytes = 0;
  /// receiver whose messages wake a wait for budget, so that on_full can serve them
  WaitSource* inbox = nullptr;
};

/// Sender on one lane with a budget of bytes under way. It keeps each handle until its send completes. While the budget is full, the
/// sender serves its own inbox (paper 1, section 4.1, situation 3), so that two ranks with full outboxes cannot deadlock. A message
/// larger than the budget is sent when no other is under way.
class Outbox {
 public:
  Outbox(Rank& rank, Lane lane, const OutboxOptions& options = {});
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Number the message within its pair of ranks and lane, and start the send. While the budget is full, send calls on_full whenever a
  /// message may have arrived; on_full serves the inbox and must neither block nor send.
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
  std::size_t largest_bytes_;
  std::int64_t sent_ = 0;
  std::int64_t times_full_ = 0;
  bool held_ = false;     ///< a wait has pointers into under_way_
  bool serving_ = false;  ///< inside on_full
  std::shared_ptr<void> progress_;
};

}  // namespace overlapack::comm
