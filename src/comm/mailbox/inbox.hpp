#pragma once
#include "comm/rank.hpp"
#include "overlapack/choices.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace overlapack::comm {

/// probe: a receive starts when a message has been seen, and the rank does nothing else until all of it is in (paper 1,
/// `mpi_irecv` OFF); immediate: receives are posted before anything is known of the messages, so that they arrive while
/// kernels run (ON).
using overlapack::ReceiveMode;

struct InboxOptions {
  int posted = 1;  ///< immediate: receives kept posted; paper 1 has one
  ReceiveMode receive = ReceiveMode::immediate;
  /// Receives are re-posted while the messages that nobody took yet hold fewer bytes than this.
  std::size_t parked_bytes = std::size_t{256} << 20;
  /// Hand out each sender's messages as it sent them. Off: as they are complete, for messages that tell by themselves
  /// what they are, so that a small one does not wait for a large one before it.
  bool in_order = true;
};

/// Something whose messages a wait can be woken by.
class WaitSource {
 public:
  virtual ~WaitSource() = default;
  /// Add what a wait must contain to be woken by my messages: for waiting on several things at once. While
  /// the returned token lives I leave my receives alone, so that the pointers stay valid; drop it after the wait.
  [[nodiscard]] virtual std::shared_ptr<const void> add_waits(std::vector<Request*>& requests,
                                                              LaneSet& probes) = 0;
};

/// Everything that arrives on one lane, in the order of each sender. One inbox a rank and lane at a time; the
/// senders use an Outbox when more than one receive is posted.
///
/// The inbox of one phase must be closed before a message of the next can arrive: close(), then a barrier.
class Inbox final : public WaitSource {
 public:
  Inbox(Rank& rank, Lane lane, const InboxOptions& options = {});
  Inbox(const Inbox&) = delete;
  Inbox& operator=(const Inbox&) = delete;

  /// The next message, if one is there. Immediate: never blocks. Probe: what is seen is there, and is waited for.
  /// Source  paper 1, Algorithm 3 with blocking = false; Algorithm 1
  std::optional<Message> try_receive();
  /// The next message; blocks until there is one.
  /// Source  paper 1, Algorithm 3 with blocking = true
  Message wait();

  /// Who treats messages of this kind in serve().
  void on(Kind kind, std::function<void(Message&&)> handler);
  /// Hand every message that is here to its handler; returns how many. Internal if a kind has no handler.
  std::size_t serve();

  std::shared_ptr<const void> add_waits(std::vector<Request*>& requests, LaneSet& probes) override;

  /// Withdraw the posted receives. Internal if a message would be lost: one that arrived and nobody took.
  void close();

  std::size_t parked_bytes() const { return parked_bytes_; }
  std::size_t most_parked_bytes() const { return most_parked_bytes_; }
  std::int64_t received() const { return received_; }

 private:
  void post();
  bool park_finished();
  void collect();
  bool may_overtake(const Recv& receive) const;
  std::deque<Recv>::iterator find_next();
  std::optional<Message> take_next();
  Message receive_seen(int source);

  Rank& rank_;
  Lane lane_;
  InboxOptions options_;
  std::deque<Recv> posted_;  ///< in the order in which they were posted
  std::deque<Recv> parked_;  ///< done, in the order of arrival, not yet handed out
  std::map<int, std::uint32_t> next_sequence_;
  std::map<std::int32_t, std::function<void(Message&&)>> handlers_;
  std::size_t parked_bytes_ = 0;
  std::size_t most_parked_bytes_ = 0;
  std::int64_t received_ = 0;
  /// shared by those who wait on my receives
  std::shared_ptr<const int> held_ = std::make_shared<const int>(0);
  std::shared_ptr<void> progress_;  ///< last: dropped first
};

}  // namespace overlapack::comm
