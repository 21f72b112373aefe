#pragma once
#include "overlapack/scalar.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace overlapack::comm {

/// A pool of tasks that may add further tasks, run by the calling thread and helper threads. It is for work before a team of ranks
/// exists, such as the analysis. The largest waiting task begins first; otherwise the order is open, so that no result of a task may
/// depend on which others have run.
class Tasks {
 public:
  /// threads: most threads at a time, the caller's included; fewer run if the system refuses to start some
  explicit Tasks(int threads);
  ~Tasks();
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  /// Run `first` and all tasks that it and its descendants add; returns when all have ended. Call it on the thread that made the
  /// Tasks, and not from inside a task.
  /// poll(counted): called on that thread between tasks and while it waits, about every 20 ms; counted: the sum of count(); may throw
  /// Errors  the first one that a task or poll throws; tasks that have not begun by then are dropped
  void run(std::function<void()> first, std::function<void(double)> poll = {});
  /// Add a task; called from inside a task. size: its estimated work, in any unit, by which the waiting tasks are ordered.
  void add(double size, std::function<void()> task);
  /// Run part(0), ..., part(parts - 1) in parallel and wait for all of them. May be called inside a task, inside a part, or outside
  /// run.
  /// Errors  the first one that a part throws; parts that have not begun by then are dropped
  void for_each(Index parts, const std::function<void(Index)>& part);
  /// Number of rows or columns of a sparse matrix, or of nodes of a graph, that are enough work for one part.
  static constexpr Index lines = 4096;
  /// for_each over 0, ..., count - 1 cut into ranges of at most `most`: each part calls range(begin, end).
  void for_ranges(Index count, const std::function<void(Index, Index)>& range, Index most = lines);
  /// for_ranges that also returns what each call of range(begin, end) returns, in the order of the ranges.
  template <class F>
  auto of_ranges(Index count, F&& range, Index most = lines) {
    std::vector<decltype(range(Index{}, Index{}))> results(
        static_cast<std::size_t>((count + most - 1) / most));
    for_ranges(
        count, [&](Index begin, Index end) { results[begin / most] = range(begin, end); }, most);
    return results;
  }
  /// To be called often inside long tasks. On the caller's thread it polls; on a helper it ends the task, by an exception, once
  /// another task or poll has thrown.
  void check();
  /// Report that this much of the run's work is done, in the caller's unit; the sum goes to poll.
  void count(double work);

  /// Processor time since the Tasks were made, including the caller's own work between runs. work_s: the sum over all threads;
  /// path_s: the longest chain of tasks that wait for each other (the critical path), which no number of threads can undercut.
  /// Other Tasks that the caller's thread makes and destroys meanwhile count as its own work. Ask on the caller's thread, outside run.
  struct Time {
    double work_s = 0, path_s = 0;
  };
  Time time() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace overlapack::comm
