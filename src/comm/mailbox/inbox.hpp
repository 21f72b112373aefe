#pragma once
#include "comm/rank.hpp"
#include "overlapack/choices.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace overlapack::comm {

/// probe: a receive is posted once a probe has found a message, and the rank waits until it is complete (paper 1, `mpi_irecv` OFF);
/// immediate: receives are posted in advance, so that messages arrive while kernels run (ON).
using overlapack::ReceiveMode;

struct InboxOptions {
  int posted = 1;  ///< immediate: receives kept posted; paper 1 has one
  ReceiveMode receive = ReceiveMode::immediate;
  /// Receives are re-posted only while the parked messages (arrived, not taken) have fewer bytes than this; it bounds the memory.
  std::size_t parked_bytes = std::size_t{256} << 20;
  /// Hand out each sender's messages in the order of sending. If false, in the order of completion: for messages that identify
  /// themselves, so that a small message does not wait for a large one that was sent before it.
  bool in_order = true;
};

/// A receiver whose messages can wake a wait.
class WaitSource {
 public:
  virtual ~WaitSource() = default;
  /// Append to `requests` and `probes` what wait_any must watch for this receiver's messages, so that a caller can wait for several
  /// things at once. While the returned token lives, the receiver does not move its receives, so that the pointers stay valid; drop
  /// the token after the wait.
  [[nodiscard]] virtual std::shared_ptr<const void> add_waits(std::vector<Request*>& requests,
                                                              LaneSet& probes) = 0;
};

/// Receiver of all messages of one lane; it hands out those of one sender in the order of sending. A rank has at most one inbox for a
/// lane at a time. If more than one receive is posted, senders must use an Outbox, which numbers the messages.
///
/// A message moves from posted_ (a receive waits for it) to parked_ (it has arrived) to the caller.
/// The inbox of one phase must be closed before a message of the next phase can arrive: close(), then a barrier.
class Inbox final : public WaitSource {
 public:
  Inbox(Rank& rank, Lane lane, const InboxOptions& options = {});
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  /// The next message, if any. Immediate: never blocks. Probe: waits until a message found by the probe is complete.
  /// Source  paper 1, Algorithm 3 with blocking = false; Algorithm 1
  std::optional<Message> receive_if_any();
  /// The next message; blocks until there is one.
  /// Source  paper 1, Algorithm 3 with blocking = true
  Message wait();

  /// Set the handler for messages of this kind in dispatch_arrived().
  void set_handler(Kind kind, std::function<void(Message&&)> handler);
  /// Pass every arrived message to its handler; returns how many. Internal if a kind has no handler.
  std::size_t dispatch_arrived();

  std::shared_ptr<const void> add_waits(std::vector<Request*>& requests, LaneSet& probes) override;

  /// Immediate: keep this many receives posted from now on, but never fewer than before.
  void set_posted_receives(int receives);

  /// Cancel the posted receives. Internal if a message would be lost: arrived, not taken.
  void close();

  std::size_t parked_bytes() const { return parked_bytes_; }
  std::size_t most_parked_bytes() const { return most_parked_bytes_; }
  std::int64_t received() const { return received_; }

 private:
  void post();
  bool move_complete_to_parked();
  void park_and_repost();
  bool may_overtake(const Recv& receive) const;
  std::deque<Recv>::iterator find_next_in_order();
  std::optional<Message> remove_next_in_order();
  Message receive_probed(int source);

  Rank& rank_;
  Lane lane_;
  InboxOptions options_;
  std::deque<Recv> posted_;  ///< in the order of posting
  std::deque<Recv> parked_;  ///< complete, in the order of arrival, not yet handed out
  std::map<int, std::uint32_t> next_sequence_;
  std::map<std::int32_t, std::function<void(Message&&)>> handlers_;
  std::size_t parked_bytes_ = 0;
  std::size_t most_parked_bytes_ = 0;
  std::int64_t received_ = 0;
  /// copied into the tokens of add_waits: use_count() > 1 while a wait uses the receives
  std::shared_ptr<const int> held_ = std::make_shared<const int>(0);
  std::shared_ptr<void> progress_;  ///< last: dropped first
};

}  // namespace overlapack::comm
