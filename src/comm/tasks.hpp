#pragma once
#include <functional>
#include <memory>

namespace overlapack::comm {

/// Tasks that add tasks, run by the calling thread and helpers, for work before there are ranks. Larger ones are begun first. What a task
/// computes must not depend on the others that run: their order is open.
class Tasks {
 public:
  /// threads: the caller's is one of them; if the system refuses some there are fewer
  /// poll(counted): called on the caller's thread between tasks and while it waits, about every 20 ms; may throw
  Tasks(int threads, std::function<void(double)> poll);
  ~Tasks();
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  /// Run `first` and all tasks that are added, to their end.
  /// Errors  the first that a task or poll threw; tasks that have not begun then are dropped
  void run(std::function<void()> first);
  /// Add a task, from inside of one.
  void add(double size, std::function<void()> task);
  /// Call often inside of long tasks: polls on the caller's thread, and ends the task on another once something was thrown.
  void check();
  /// So much of the work is done; counted: of all runs.
  void count(double work);
  double counted() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace overlapack::comm
