#pragma once
#include "comm/mailbox/inbox.hpp"
#include "comm/mailbox/outbox.hpp"
#include "comm/mailbox/single_receiver.hpp"
#include "comm/rank.hpp"
#include "overlapack/choices.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace overlapack::dist {

/// Tasks that depend on each other along a tree, each on one rank. Children stand before their parents.
struct TaskTree {
  std::vector<Index> parent;  ///< tasks; -1 for a root
  std::vector<int> owner;     ///< tasks -> rank

  Index size() const { return static_cast<Index>(parent.size()); }
};

/// upward: a task waits for its children (factorisation, forward solve); downward: for its parent (backward solve).
enum class Direction : std::uint8_t { upward, downward };

/// What a walk asks of the algorithm that it serves.
class TaskEvents {
 public:
  virtual ~TaskEvents() = default;
  /// Do the task. What a dependent on another rank needs must be sent with TreeWalk::send before it is complete.
  /// Returns whether it is; if not, jobs go on with it and the last one calls TreeWalk::complete.
  virtual bool run(Index task) = 0;
  /// A task of mine has all that it waited for.
  virtual void ready(Index /*task*/) {}
  /// Store what another rank's task sent for `task`; nothing is computed here.
  virtual void arrived(Index task, comm::Message message) = 0;
  /// The same for a message that was sent to this rank (TreeWalk::post). It may add jobs.
  virtual void received(comm::Message) {
    throw Error(Status::internal, "a message came that no task waits for");
  }
  /// This rank has nothing to do before it receives a message; has_ended: nor after. It may post.
  virtual void idle(bool /*has_ended*/) {}
  /// With nothing left to do, the walk goes on receiving until this is true.
  virtual bool is_closed() const { return true; }
};

using overlapack::EarlyMessages;

/// How messages travel during a walk.
struct WalkPlan {
  comm::ReceiveMode receive = comm::ReceiveMode::immediate;
  int posted = 4;  ///< receive buffers kept posted (immediate)
  EarlyMessages early = EarlyMessages::park;
  std::size_t budget_bytes = 0;  ///< outgoing bytes at a time; 0: twice the largest message
};

/// Runs my tasks of a tree in an order that their dependencies allow, lowest number first (upward; highest first
/// downward), so that a subtree is finished before the next one starts. Handlers only store and count; tasks and jobs
/// alone compute and send. Jobs are work that messages bring, for tasks of this or other ranks; they come before tasks.
class TreeWalk {
 public:
  TreeWalk(comm::Rank& rank, const TaskTree& tree, Direction direction, const WalkPlan& plan,
           TaskEvents& events);

  /// Until all of my tasks are done and all I sent has left.
  /// Sync    collective; ends with a barrier, so that the next walk's messages cannot meet this one's receives
  void run();

  /// Send a part of what the running task gives to task `to` on another rank. ids 0 and 1 of the header are taken;
  /// the part with last = true makes the dependency count as fulfilled.
  void send(Index to, comm::Header header, comm::Body body, bool last);

  /// Send to a rank, which may be this one, for no task of the tree: TaskEvents::received takes it there.
  void post(int to, comm::Header header, comm::Body body);

  /// In `arrived` or `received`: `source` has sent a message that must be treated before the one at hand. Returns when
  /// has_come() is true; other messages are treated meanwhile. EarlyMessages::wait only.
  void receive_late(int source, comm::FunctionRef<bool()> has_come) {
    single_->receive_late({source, has_come});
  }
  /// Called before the one receive buffer is posted again. EarlyMessages::wait only.
  void before_posting(std::function<void()> then) { single_->before_posting(std::move(then)); }

  /// Work to be done by this rank as soon as it is free, in the order of these calls.
  void add_job(std::function<void()> job) { jobs_.push_back(std::move(job)); }
  /// The same, before those: other ranks wait for what it makes.
  void add_urgent_job(std::function<void()> job) { urgent_jobs_.push_back(std::move(job)); }
  /// One more thing that a task of mine waits for, to be told by fulfil. Before run().
  void wait_also(Index task) { ++waiting_for_[static_cast<std::size_t>(task)]; }
  void fulfil(Index task);
  /// A task whose run returned false is done.
  void complete(Index task);
  /// run() does not return before each hold was released: this rank will have work that is no task of its own.
  void hold() { ++left_; }
  void release() { --left_; }

  /// The last of my tasks that are ready and for which `may_leave`, if more than it alone is ready; it is no longer mine.
  std::optional<Index> give_away(comm::FunctionRef<bool(Index)> may_leave);
  /// A task that has all that it waits for is mine from now on.
  void take_over(Index task);

  /// Take what has arrived.
  void serve();

  comm::Rank& rank() const { return rank_; }
  bool is_mine(Index task) const { return tree_.owner[static_cast<std::size_t>(task)] == rank_.rank(); }
  /// How often a message had to wait for room in the budget.
  std::int64_t times_full() const { return outbox_.times_full(); }

 private:
  comm::WaitSource& open_inbox(const WalkPlan& plan);
  void wait();
  void accept(comm::Message message);
  bool do_something();
  bool has_work() const { return !urgent_jobs_.empty() || !jobs_.empty() || !ready_.empty(); }
  /// The order in which ready tasks are done.
  Index key(Index task) const { return direction_ == Direction::upward ? task : -task; }
  void push_ready(Index task);
  Index pop_ready();

  comm::Rank& rank_;
  const TaskTree& tree_;
  Direction direction_;
  TaskEvents& events_;
  std::optional<comm::Inbox> inbox_;            ///< EarlyMessages::park
  std::optional<comm::SingleReceiver> single_;  ///< EarlyMessages::wait
  comm::Outbox outbox_;
  std::vector<std::int32_t> waiting_for_;   ///< dependencies of each task still open
  std::vector<Index> child_start_, child_;  ///< downward: the tasks that wait for a task
  std::vector<Index> ready_;                ///< keys, a heap: the least first
  std::deque<std::function<void()>> urgent_jobs_, jobs_;
  Index left_ = 0;
};

}  // namespace overlapack::dist
