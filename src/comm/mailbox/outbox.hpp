#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/rank.hpp"

#include <deque>
#include <map>

namespace overlapack::comm {

struct OutboxOptions {
  /// most bytes under way; 0: twice the largest message (paper 1)
  std::size_t budget_bytes = 0;
  /// of a message that will come, if known; a larger one counts once it has come
  std::size_t largest_bytes = 0;
  /// its messages wake a wait for budget, so that on_full can serve them
  WaitSource* inbox = nullptr;
};

/// Sends on one lane with a byte budget: bodies are kept until their send completes. While the budget is full the sender serves its
/// own inbox (paper 1, section 4.1, situation 3), so that two full ranks cannot deadlock. A message larger than the budget is
/// sent when no other is under way.
class Outbox {
 public:
  Outbox(Rank& rank, Lane lane, const OutboxOptions& options = {});
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Number the message within its pair and lane, and start the send. While the budget is full, calls on_full whenever a message
  /// may have arrived: it serves the inbox and must neither block nor send.
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
