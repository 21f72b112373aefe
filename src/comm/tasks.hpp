#pragma once
#include "overlapack/scalar.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace overlapack::comm {

/// Tasks that add tasks, run by the calling thread and helpers, for work before there are ranks. Larger ones are begun first. What a task
/// computes must not depend on the others that run: their order is open.
class Tasks {
 public:
  /// threads: the caller's is one of them; if the system refuses some there are fewer
  explicit Tasks(int threads);
  ~Tasks();
  Tasks(const Tasks&) = delete;
  Tasks& operator=(const Tasks&) = delete;

  /// Run `first` and all tasks that are added, to their end. On the thread that made the Tasks, not inside of a task.
  /// poll(counted): called on that thread between tasks and while it waits, about every 20 ms; may throw
  /// Errors  the first that a task or poll threw; tasks that have not begun then are dropped
  void run(std::function<void()> first, std::function<void(double)> poll = {});
  /// Add a task, from inside of one.
  void add(double size, std::function<void()> task);
  /// part(0), ..., part(parts - 1), side by side, and wait for all of them. Inside of a task, of a part, or outside of run.
  /// Errors  the first that a part threw; parts that have not begun then are dropped
  void for_each(Index parts, const std::function<void(Index)>& part);
  /// Lines of a sparse matrix, or nodes of a graph, that are worth a part.
  static constexpr Index lines = 4096;
  /// The same of 0, ..., count - 1 in ranges of at most `most`: range(begin, end).
  void for_ranges(Index count, const std::function<void(Index, Index)>& range, Index most = lines);
  /// And what each range returns, in their order.
  template <class F>
  auto of_ranges(Index count, F&& range, Index most = lines) {
    std::vector<decltype(range(Index{}, Index{}))> results(
        static_cast<std::size_t>((count + most - 1) / most));
    for_ranges(
        count, [&](Index begin, Index end) { results[begin / most] = range(begin, end); }, most);
    return results;
  }
  /// Call often inside of long tasks: polls on the caller's thread, and ends the task on another once something was thrown.
  void check();
  /// So much of the run's work is done.
  void count(double work);

  /// Processor time since the Tasks were made, the caller's own between runs included: of all threads, and of the longest chain of
  /// tasks that wait for each other, below which no number of threads comes. Ask on the caller's thread, outside of run. Tasks that
  /// are made and end meanwhile on this thread count as its own work.
  struct Time {
    double work_s = 0, path_s = 0;
  };
  Time time() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace overlapack::comm
