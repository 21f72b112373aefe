#pragma once
#include <cstddef>
#include <cstdint>

namespace overlapack::comm {

/// A graph of tasks that become ready as others end, for Rank::run_tasks. The engine serialises all calls except run(), which
/// several threads call at once, each with a task of its own. If run() or done() throws, no further task begins.
class TaskSource {
 public:
  /// Name of a task; only the source interprets the numbers.
  struct Task {
    std::int32_t kind = 0, i = 0, j = 0, k = 0;
  };

  virtual ~TaskSource() = default;
  /// Number of tasks that are ready and have not been taken.
  virtual std::size_t ready() const = 0;
  /// Remove the next ready task and return it; called only if ready() > 0.
  virtual Task take() = 0;
  virtual void run(const Task& task) = 0;
  /// Called after run(task) returned without an exception; the source marks the tasks that are ready now.
  virtual void done(const Task& task) = 0;
  /// Take, run and finish the next ready task; for callers that use one thread alone.
  void run_next() {
    const Task task = take();
    run(task);
    done(task);
  }
  /// No task is left, and none runs.
  virtual bool is_over() const = 0;
};

}  // namespace overlapack::comm
