#pragma once
#include "dist/tree/tree_walk.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace overlapack::dist {

/// Callbacks of stealing to the algorithm.
class StealEvents {
 public:
  virtual ~StealEvents() = default;
  /// Whether another rank may do this task of this rank, once it is ready.
  virtual bool may_be_stolen(Index task) const = 0;
  /// Returns all data that `thief` needs for the task, which belongs to it from now on.
  virtual comm::Body pack_stolen(Index task, int thief) = 0;
  /// Store a stolen task with the body returned by its owner's `pack_stolen`; must not compute.
  virtual void store_stolen(Index task, comm::Body body) = 0;
};

/// Work stealing in an upward walk. A rank without work (thief) asks all ranks (victims) that may have tasks to give. A victim
/// answers a request once, with a task, as soon as it has two or more ready tasks. Messages between a pair of ranks a and b:
///   a -> b  hungry         a has no work; sent again only after a task of b has arrived
///   b -> a  given          a task, ready to run
///   b -> a  nothing_left   all tasks that b may give away have begun or were given away
///   a -> b  heard          a's last message to b; as messages arrive in order, its earlier requests have arrived
/// A stolen task is not stolen again.
class Stealing {
 public:
  /// kind: of all messages of stealing; TaskEvents::on_message must pass messages of this kind to on_message()
  Stealing(TreeWalk& walk, Index tasks, StealEvents& events, comm::Kind kind);

  /// Ask all other ranks for work: called when this rank has none.
  void ask_for_work();
  /// Called when a task of this rank becomes ready, and when it begins.
  void on_task_ready(Index task);
  void on_task_begin(Index task);
  /// Called with a message of stealing from another rank; may queue an answer, and add a stolen task to the walk.
  void on_message(comm::Message message);
  /// Whether no other rank has tasks left to give, and all others have heard that this one has none.
  bool is_closed() const {
    return heard_ == walk_.rank().size() - 1 && exhausted_ == walk_.rank().size() - 1;
  }
  /// Number of tasks that this rank received from others.
  Index stolen() const { return stolen_; }

 private:
  enum Step : std::int64_t { hungry, given, nothing_left, heard };
  enum class Victim : char { unasked, asked, exhausted };

  void post(int to, Step step, Index task = -1, comm::Body body = {});
  void send_tasks_to_thieves();
  void count_task_as_gone();

  TreeWalk& walk_;
  StealEvents& events_;
  comm::Kind kind_;
  std::vector<char> may_be_stolen_;  ///< by task: mine from the beginning, not begun, and others may do it
  Index to_give_ = 0;                ///< number of such tasks
  std::deque<int> thieves_;          ///< ranks that wait for a task, in the order of their requests
  std::vector<Victim> victims_;      ///< by rank
  int exhausted_ = 0, heard_ = 0;
  Index stolen_ = 0;
};

}  // namespace overlapack::dist
