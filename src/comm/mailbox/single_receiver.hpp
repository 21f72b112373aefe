#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/rank.hpp"

#include <functional>
#include <optional>

namespace overlapack::comm {

/// A message that must be treated before another one: its sender has sent it already. Messages of one sender come in
/// order, so those before it are received and treated first.
struct LateMessage {
  int source;
  FunctionRef<bool()> has_come;
};

/// Everything that arrives on one lane, one message after the other through one receive buffer, each handed to `treat`
/// before the next receive is posted. `treat` may call receive_late, which is paper 1's other way with a message that
/// comes too early (Inbox hands it out, to be parked).
/// Source  paper 1, section 4.1, Algorithms 3 and 4; Algorithms 1 (probe) and 2 (immediate) are the loop around it,
///         dist::TreeWalk::run
class SingleReceiver final : public WaitSource {
 public:
  using Treat = std::function<void(Message)>;

  SingleReceiver(Rank& rank, Lane lane, ReceiveMode receive, Treat treat);

  /// Called before each receive is posted: news of loads, which would keep the buffer from a large message (line 32).
  void before_posting(std::function<void()> then) { before_posting_ = std::move(then); }

  /// Algorithm 4. Without `late`, any message will do. Returns whether a message was treated.
  bool try_to_receive_and_treat(bool blocking, const LateMessage* late = nullptr);
  /// Blocks until it has come, treating what comes meanwhile.
  void receive_late(const LateMessage& late);

  std::shared_ptr<const void> add_waits(std::vector<Request*>& requests, LaneSet& probes) override;
  /// Withdraw the posted receive. Internal if a message would be lost.
  void close();

 private:
  void post();

  Rank& rank_;
  Lane lane_;
  ReceiveMode receive_;
  Treat treat_;
  std::function<void()> before_posting_ = [] {};
  std::optional<Recv> pending_;
  int suppressed_ = 0;  ///< calls that forbid those inside them to post a receive
};

}  // namespace overlapack::comm
