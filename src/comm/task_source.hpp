#pragma once
#include <cstddef>
#include <cstdint>

namespace overlapack::comm {

/// Work whose parts become ready as others end, for Rank::run_tasks. All calls but run() come one at a time; run()
/// is called by several threads at once, each with a task of its own. run() and done() may throw, which ends the work.
class TaskSource {
 public:
  /// What the source makes of it.
  struct Task {
    std::int32_t kind = 0, i = 0, j = 0, k = 0;
  };

  virtual ~TaskSource() = default;
  /// Number of tasks that are ready and have not been taken.
  virtual std::size_t ready() const = 0;
  /// The next of them; there is one.
  virtual Task take() = 0;
  virtual void run(const Task& task) = 0;
  /// It has been run, without an exception: others may be ready now.
  virtual void done(const Task& task) = 0;
  /// By one thread alone: the next of them, which is done then.
  void run_next() {
    const Task task = take();
    run(task);
    done(task);
  }
  /// No task is left, and none runs.
  virtual bool is_over() const = 0;
};

}  // namespace overlapack::comm
