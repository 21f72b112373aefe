#pragma once
#include "comm/engine/watched_operation.hpp"
#include "comm/hooks.hpp"
#include "comm/rank.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <string>
#include <vector>

namespace overlapack::comm::thread {

using Clock = std::chrono::steady_clock;

class ThreadMailbox;

/// An operation of this engine. Only the owner, the thread that started it, changes `done`.
struct ThreadOperation : WatchedOperation {
  /// Called by the owner for each operation that another thread put on the list of its mailbox (queue_finished).
  virtual void finish() { done = true; }
  /// Called by the owner before it reads `done`; for operations that no other thread puts on the list, such as expected signals.
  virtual void refresh() {}
};

/// A send of the long protocol. Sends of the short protocol are done at once and share one operation.
struct SendOperation : ThreadOperation {
  ThreadMailbox* owner = nullptr;
};

/// A message on its way to a receive.
struct Parcel {
  Message message;
  /// Long protocol: the send that completes when a receive takes this message
  std::shared_ptr<SendOperation> waiting_send;
  /// Short protocol: the receiver copies the body out of the buffer
  bool is_in_eager_buffer = false;
};

struct ReceiveOperation : ThreadOperation {
  ThreadMailbox* owner = nullptr;
  Parcel parcel;

  bool accepts(int source) const { return peer == any_rank || peer == source; }
  void finish() override;
};

/// Arrived messages and posted receives of one rank of one group, by lane. Guarded by the mutex of its mailbox.
struct Port {
  std::array<std::deque<Parcel>, lane_count> arrived;
  std::array<std::list<std::shared_ptr<ReceiveOperation>>, lane_count> posted;

  std::deque<Parcel>& arrived_on(Lane lane) { return arrived[static_cast<std::size_t>(lane)]; }
  std::list<std::shared_ptr<ReceiveOperation>>& posted_on(Lane lane) {
    return posted[static_cast<std::size_t>(lane)];
  }
};

/// What one thread needs to be served by the others: a lock, the list of its operations that other threads have matched, and a wake-up.
/// The owner is the thread that it belongs to. A rank of the team and the ranks that are split from it share their thread's mailbox.
class ThreadMailbox {
 public:
  std::mutex mutex;                  ///< guards the ports of this thread and the members marked so
  EngineCounters counters;           ///< guarded
  std::size_t eager_bytes_held = 0;  ///< guarded: bytes of the short protocol that wait here for a receive

  /// The caller holds the lock. Queue a matched operation of the owner, which finishes it in its next call.
  void queue_finished(std::shared_ptr<ThreadOperation> operation);
  /// The caller holds the lock. Wake the owner, because something has happened for which it may wait.
  void wake_locked();
  void wake();
  /// Number of wake-ups so far; a change tells the owner to look again.
  std::uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }
  /// Wake the owner if it sleeps and no other wake_sleeper has woken it since it fell asleep; returns whether this call did.
  bool wake_sleeper();

  /// By the owner: finish the matched operations; returns whether there were any.
  bool drain();
  /// By the owner: sleep until has_news() or until the time; returns has_news(). Returns at once if there is news already.
  bool sleep(Clock::time_point until, FunctionRef<bool()> has_news);

  /// guarded: what the owner waits for, for the watchdog; empty unless it has waited for long
  std::string waits_for;
  Clock::time_point quiet_since{};  ///< guarded: when the waiting rank was woken last

  std::string_view phase;  ///< used by the owner only: kind of the work that it began last
  Hooks hooks;             ///< used by the owner only: its on_progress hooks
  void drop_messages();    ///< after an abort, when all threads are parked

 private:
  std::condition_variable changed_;
  std::atomic<std::uint64_t> epoch_{0};
  std::atomic<bool> asleep_{false}, is_called_{false};
  std::atomic<bool> has_finished_{false};
  std::vector<std::shared_ptr<ThreadOperation>> finished_;
  /// Owner only: moved here from finished_ by drain()
  std::vector<std::shared_ptr<ThreadOperation>> draining_;
  /// Owner only: how many of these it has finished
  std::size_t drained_ = 0;
};

}  // namespace overlapack::comm::thread
