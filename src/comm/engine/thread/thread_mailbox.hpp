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
  /// Called by the owner once somebody has put it on the mailbox's list of finished operations.
  virtual void finish() { done = true; }
  /// Called by the owner where it looks at the operation: a chance to see for itself.
  virtual void refresh() {}
};

struct SendOperation : ThreadOperation {
  ThreadMailbox* owner = nullptr;
};

/// A message on its way into a receive.
struct Parcel {
  Message message;
  std::shared_ptr<SendOperation> waiting_send;  ///< long protocol: who is told when a receive takes it
  bool is_in_eager_buffer = false;              ///< short protocol: the receiver copies it out
};

struct ReceiveOperation : ThreadOperation {
  ThreadMailbox* owner = nullptr;
  Parcel parcel;

  bool accepts(int source) const { return peer == any_rank || peer == source; }
  void finish() override;
};

/// What has come for one rank of one group and what it has posted, by lane. Guarded by the mutex of its mailbox.
struct Port {
  std::array<std::deque<Parcel>, lane_count> arrived;
  std::array<std::list<std::shared_ptr<ReceiveOperation>>, lane_count> posted;

  std::deque<Parcel>& arrived_on(Lane lane) { return arrived[static_cast<std::size_t>(lane)]; }
  std::list<std::shared_ptr<ReceiveOperation>>& posted_on(Lane lane) {
    return posted[static_cast<std::size_t>(lane)];
  }
};

/// Where one thread of the team sits: its lock, what others have finished for it, and how it is woken.
class ThreadMailbox {
 public:
  std::mutex mutex;         ///< guards the ports of this thread and what follows
  EngineCounters counters;  ///< guarded
  std::size_t eager_bytes_held = 0;

  /// Guarded: an operation of mine is matched; I finish it at my next call.
  void push_finished(std::shared_ptr<ThreadOperation> operation);
  /// Guarded by the caller's lock: something happened that I may be waiting for.
  void wake_locked();
  void wake();
  std::uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }
  bool is_asleep() const { return asleep_.load(); }

  /// Owner: finish what others have matched.
  bool drain();
  /// Owner: until woken after `seen` was read, or until the time has come; true if woken. Not at all where there is work already.
  bool sleep(
      std::uint64_t seen, Clock::time_point until, FunctionRef<bool()> has_work = [] { return false; });

  std::string waits_for;            ///< guarded: what the watchdog reports of a rank that waits for long
  Clock::time_point quiet_since{};  ///< guarded: the last thing that happened to a waiting rank

  std::string_view phase;  ///< owner: the last kind of work begun
  Hooks hooks;             ///< owner: on_progress
  void forget();           ///< after an abort, all threads parked

 private:
  std::condition_variable changed_;
  std::atomic<std::uint64_t> epoch_{0};
  std::atomic<bool> asleep_{false};
  std::atomic<bool> has_finished_{false};
  std::vector<std::shared_ptr<ThreadOperation>> finished_;
  std::vector<std::shared_ptr<ThreadOperation>> draining_;  ///< owner: taken from there
  std::size_t drained_ = 0;                                 ///< owner: so many of these
};

}  // namespace overlapack::comm::thread
