#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/rank.hpp"

#include <functional>
#include <optional>

namespace overlapack::comm {

/// A message that must be handled before the present one, and that its sender has sent already. Messages of one sender arrive in
/// order, so that the messages which the same sender sent before it are received and handled first.
struct LateMessage {
  int source;
  FunctionRef<bool()> has_come;  ///< whether it has been handled
};

/// Receiver of all messages of one lane through a single receive buffer, as in paper 1: it passes each message to the handler `treat`
/// before it posts the next receive. If a message has come too early, `treat` may call receive_late, which is the paper's alternative;
/// with an Inbox, the caller parks such a message instead.
/// Source  paper 1, section 4.1, Algorithms 3 and 4; Algorithms 1 (probe) and 2 (immediate) are the loop around it,
///         dist::TreeWalk::run
class SingleReceiver final : public WaitSource {
 public:
  using Treat = std::function<void(Message)>;

  SingleReceiver(Rank& rank, Lane lane, ReceiveMode receive, Treat treat);

  /// Set a function that is called before each receive is posted. It receives the load messages, which would otherwise occupy the
  /// buffer while a large message waits (Algorithm 4, line 32).
  void before_posting(std::function<void()> then) { before_posting_ = std::move(then); }

  /// Algorithm 4: receive and handle one message; with `late`, also or instead one from the late message's sender. Returns whether a
  /// message was handled.
  bool try_to_receive_and_treat(bool blocking, const LateMessage* late = nullptr);
  /// Block until the late message has been handled, handling others meanwhile.
  void receive_late(const LateMessage& late);

  std::shared_ptr<const void> add_waits(std::vector<Request*>& requests, LaneSet& probes) override;
  /// Cancel the posted receive. Internal if a message would be lost.
  void close();

 private:
  void post();

  Rank& rank_;
  Lane lane_;
  ReceiveMode receive_;
  Treat treat_;
  std::function<void()> before_posting_ = [] {};
  std::optional<Recv> pending_;
  int suppressed_ = 0;  ///< number of enclosing calls during which no receive may be posted
};

}  // namespace overlapack::comm
