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

/// Tasks that depend on each other along a tree, each on one rank. Children are numbered before their parents.
struct TaskTree {
  std::vector<Index> parent;  ///< tasks; -1 for a root
  std::vector<int> owner;     ///< tasks -> rank

  Index size() const { return static_cast<Index>(parent.size()); }
};

/// upward: a task waits for its children (factorisation, forward solve); downward: for its parent (backward solve).
enum class Direction : std::uint8_t { upward, downward };

/// Callbacks of a walk to the algorithm.
class TaskEvents {
 public:
  virtual ~TaskEvents() = default;
  /// Run the task. Data for dependent tasks on other ranks must be sent with TreeWalk::send before it is complete.
  /// Returns whether it is complete; if not, jobs continue it and the last one calls TreeWalk::complete.
  virtual bool run(Index task) = 0;
  /// Called when a task of this rank has received all messages that it waited for.
  virtual void on_task_ready(Index /*task*/) {}
  /// Called with a message that another rank's task has sent for `task`. It stores the message, and must not compute.
  virtual void on_task_message(Index task, comm::Message message) = 0;
  /// Called with a message that was sent to this rank by TreeWalk::post. It stores the message, and may add jobs.
  virtual void on_message(comm::Message) {
    throw Error(Status::internal, "a message came that no task waits for");
  }
  /// Called when this rank has nothing to do until it receives a message; has_ended: it has no task and no hold left either. It
  /// may post messages.
  virtual void on_idle(bool /*has_ended*/) {}
  /// When this rank has no task and no hold left, the walk goes on receiving messages until this is true.
  virtual bool is_closed() const { return true; }
};

using overlapack::EarlyMessages;

/// Options for the messages of a walk.
struct WalkPlan {
  comm::ReceiveMode receive = comm::ReceiveMode::immediate;
  int posted = 4;  ///< ReceiveMode::immediate: number of receives kept posted
  EarlyMessages early = EarlyMessages::park;
  std::size_t budget_bytes = 0;   ///< most bytes of sends under way; 0: twice the largest message
  std::size_t largest_bytes = 0;  ///< predicted size of the largest message
};

/// Runs this rank's tasks of a tree in an order that their dependencies allow: the ready task with the lowest number first
/// (upward; the highest downward), so that a subtree is finished before the next one starts. Handlers of messages only store and
/// count; only tasks and jobs compute and send. Jobs are work that messages cause, for tasks of this or of other ranks; they run
/// before tasks.
class TreeWalk {
 public:
  TreeWalk(comm::Rank& rank, const TaskTree& tree, Direction direction, const WalkPlan& plan,
           TaskEvents& events);

  /// Run until all tasks of this rank are done and all its sends are complete.
  /// Sync    collective; ends with a barrier, so that the next walk's messages cannot meet this one's receives
  void run();

  /// Send a part of the running task's result to task `to` on another rank. Overwrites ids 0 and 1 of the header. The part with
  /// last = true fulfils the dependency of task `to` on the running task.
  void send(Index to, comm::Header header, comm::Body body, bool last);

  /// Send a message that belongs to no task to a rank, which may be this one; its TaskEvents::on_message handles it.
  void post(int to, comm::Header header, comm::Body body);

  /// For use in on_task_message or on_message, if `source` has sent a message that must be handled before the present one: blocks
  /// until has_arrived() is true, and handles other messages meanwhile. For EarlyMessages::wait only.
  void receive_late_message(int source, comm::FunctionRef<bool()> has_arrived) {
    single_->receive_late({source, has_arrived});
  }
  /// Set a function that is called before the single receive buffer is posted again. For EarlyMessages::wait only.
  void before_posting(std::function<void()> then) { single_->before_posting(std::move(then)); }

  /// Queue a job of this rank; jobs run in the order of these calls, before tasks.
  void add_job(std::function<void()> job) { jobs_.push_back(std::move(job)); }
  /// Queue a job that runs before those of add_job: other ranks wait for its result.
  void add_urgent_job(std::function<void()> job) { urgent_jobs_.push_back(std::move(job)); }
  /// Add a dependency to a task of this rank, to be fulfilled by fulfil_dependency(). Call it before run().
  void add_dependency(Index task) { ++waiting_for_[static_cast<std::size_t>(task)]; }
  /// Fulfil one dependency of a task of this rank; the task is ready once none is left.
  void fulfil_dependency(Index task);
  /// Mark a task whose run returned false as complete.
  void complete(Index task);
  /// A hold stands for future work of this rank that is no task of its own: run() does not return before each hold was released.
  void add_hold() { ++left_; }
  void release_hold() { --left_; }

  /// If two or more tasks are ready, remove and return the last one for which may_be_stolen(); it no longer belongs to this rank.
  std::optional<Index> remove_ready_task(comm::FunctionRef<bool(Index)> may_be_stolen);
  /// Add a ready task of another rank to this rank's tasks.
  void add_ready_task(Index task);

  /// Handle all messages that have arrived.
  void handle_arrived();

  comm::Rank& rank() const { return rank_; }
  bool is_mine(Index task) const { return tree_.owner[static_cast<std::size_t>(task)] == rank_.rank(); }
  /// Number of messages that had to wait for the budget.
  std::int64_t times_full() const { return outbox_.times_full(); }

 private:
  comm::WaitSource& open_inbox(const WalkPlan& plan);
  void wait();
  void dispatch_message(comm::Message message);
  bool run_next_ready();
  bool has_work() const { return !urgent_jobs_.empty() || !jobs_.empty() || !ready_.empty(); }
  /// Priority of ready tasks: the smallest key first.
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
  std::vector<std::int32_t> waiting_for_;   ///< open dependencies of each task
  std::vector<Index> child_start_, child_;  ///< downward: the children of each task
  std::vector<Index> ready_;                ///< min-heap of keys
  std::deque<std::function<void()>> urgent_jobs_, jobs_;
  Index left_ = 0;  ///< tasks that are not complete, and holds
};

}  // namespace overlapack::dist
