#pragma once
#include "comm/rank.hpp"

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

namespace overlapack::comm {

/// The slices of one run_slices call; on the owner's stack while it is published.
class Job {
 public:
  Job(std::size_t count, FunctionRef<void(std::size_t)> slice) : count_(count), slice_(slice) {}

  /// Run the next slice; false when none is left.
  bool run_one();
  bool has_more() const { return next_.load(std::memory_order_relaxed) < count_; }
  /// Give out no more slices.
  void stop() { next_.store(count_, std::memory_order_relaxed); }
  void fail(std::exception_ptr failure);
  /// Called by the owner once no helper works on the job.
  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  int visitors = 0;                ///< guarded by Jobs
  std::int64_t run_by_others = 0;  ///< guarded by Jobs

 private:
  const std::size_t count_;
  const FunctionRef<void(std::size_t)> slice_;
  std::atomic<std::size_t> next_{0};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;  ///< the first
};

/// The published jobs, whose slices other threads of this process may run.
class Jobs {
 public:
  /// Publish the job, call wake(), run those of its slices that no helper takes, calling poll() after each, and return when no
  /// helper works on it any more. An exception becomes the job's failure.
  void run(Job& job, FunctionRef<void()> wake, FunctionRef<void()> poll);
  /// Number of jobs published so far: a change means that there may be slices to run. Sequentially consistent with
  /// ThreadMailbox::is_asleep: either the publisher sees that a helper sleeps, or the helper sees the new job.
  std::uint64_t published() const { return published_.load(); }
  /// Run slices of one published job while may_go_on() holds; returns how many.
  std::int64_t help(FunctionRef<bool()> may_go_on);

 private:
  void publish(Job& job);
  void withdraw(Job& job);
  Job* enter();
  void leave(Job& job, std::int64_t done);

  std::mutex mutex_;
  std::condition_variable left_;
  std::vector<Job*> jobs_;
  std::atomic<int> open_{0};
  std::atomic<std::uint64_t> published_{0};
};

}  // namespace overlapack::comm
