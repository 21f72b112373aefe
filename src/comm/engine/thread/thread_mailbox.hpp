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

/// An operation of this engine. Only the thread that owns it changes `done`.
struct ThreadOperation : WatchedOperation {
  /// Called by the owner for an operation on its mailbox's list of finished ones.
  virtual void finish() { done = true; }
  /// Called by the owner before it reads `done`: for operations that no other thread marks as finished.
  virtual void refresh() {}
};

struct SendOperation : ThreadOperation {
  ThreadMailbox* owner = nullptr;
};

/// A message on its way to a receive.
struct Parcel {
  Message message;
  std::shared_ptr<SendOperation> waiting_send;  ///< long protocol: completes when a receive takes this
  bool is_in_eager_buffer = false;              ///< short protocol: the receiver copies it out
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

/// One thread's lock, its list of operations that other threads have matched, and its wake-up.
class ThreadMailbox {
 public:
  std::mutex mutex;         ///< guards the ports of this thread and what follows
  EngineCounters counters;  ///< guarded
  std::size_t eager_bytes_held = 0;

  /// Caller holds the lock: queue a matched operation of the owner, which finishes it at its next call.
  void queue_finished(std::shared_ptr<ThreadOperation> operation);
  /// Caller holds the lock: wake the owner, as something it may wait for has happened.
  void wake_locked();
  void wake();
  std::uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }
  /// The same of an owner that sleeps and that no other thread wakes so; returns whether there was one.
  bool wake_sleeper();

  /// Owner: finish the matched operations; returns whether there were any.
  bool drain();
  /// Owner: sleep until woken and has_news(), or until the time; returns false for the time. Returns at once where it has news already.
  bool sleep(Clock::time_point until, FunctionRef<bool()> has_news);

  std::string waits_for;  ///< guarded: for the watchdog's report; empty unless it has waited for long
  Clock::time_point quiet_since{};  ///< guarded: when the waiting rank was woken last

  std::string_view phase;  ///< owner: kind of the last work begun
  Hooks hooks;             ///< owner: on_progress
  void drop_messages();    ///< after an abort, all threads parked

 private:
  std::condition_variable changed_;
  std::atomic<std::uint64_t> epoch_{0};
  std::atomic<bool> asleep_{false}, is_called_{false};
  std::atomic<bool> has_finished_{false};
  std::vector<std::shared_ptr<ThreadOperation>> finished_;
  std::vector<std::shared_ptr<ThreadOperation>> draining_;  ///< owner: moved from finished_ to be finished
  std::size_t drained_ = 0;                                 ///< owner: number of these already finished
};

}  // namespace overlapack::comm::thread
