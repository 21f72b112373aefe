#pragma once
#include "comm/rank.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <vector>

namespace overlapack::comm {

/// The work of one run_slices or run_tasks call; on the owner's stack while it is published.
class Job {
 public:
  using Wake = FunctionRef<void()>;

  Job() = default;
  virtual ~Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Run the next part; false when none is ready.
  virtual bool run_one() = 0;
  /// Parts that could begin now.
  virtual std::size_t ready() const = 0;
  bool has_ready() const { return ready() > 0; }
  /// Nothing is left that could become ready.
  virtual bool is_over() = 0;
  /// Give out no more parts.
  virtual void stop() = 0;
  /// Wait a moment for a part to become ready. Of a helper, false: it is better off elsewhere; the owner always comes back.
  virtual bool wait_briefly(FunctionRef<bool()> may_go_on) = 0;
  virtual void wait_for_ready() = 0;
  void fail(std::exception_ptr failure);
  /// Called by the owner once no helper works on the job.
  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  // Set by Jobs
  bool spins = false;              ///< there is a processor for each thread
  std::optional<Wake> wake;        ///< wakes one helper that sleeps
  std::atomic<int> visitors{0};    ///< changed under the lock of Jobs
  std::int64_t run_by_others = 0;  ///< guarded by Jobs

 private:
  std::mutex failure_mutex_;
  std::exception_ptr failure_;  ///< the first
};

/// Parts that are all ready from the beginning.
class SliceJob final : public Job {
 public:
  SliceJob(std::size_t count, FunctionRef<void(std::size_t)> slice) : count_(count), slice_(slice) {}

  bool run_one() override;
  std::size_t ready() const override {
    return count_ - std::min(count_, next_.load(std::memory_order_relaxed));
  }
  bool is_over() override { return !has_ready(); }
  void stop() override { next_.store(count_, std::memory_order_relaxed); }
  bool wait_briefly(FunctionRef<bool()>) override { return false; }
  void wait_for_ready() override {}

 private:
  const std::size_t count_;
  const FunctionRef<void(std::size_t)> slice_;
  std::atomic<std::size_t> next_{0};
};

/// Tasks that become ready as others end.
class TaskJob final : public Job {
 public:
  explicit TaskJob(TaskSource& source);

  bool run_one() override;
  std::size_t ready() const override { return ready_.load(std::memory_order_relaxed); }
  bool is_over() override;
  void stop() override;
  bool wait_briefly(FunctionRef<bool()> may_go_on) override;
  void wait_for_ready() override;
  std::int64_t tasks() const { return tasks_; }

 private:
  void count_ready();
  void finish(TaskSource::Task task);

  TaskSource& source_;
  std::atomic<std::size_t> ready_{0};
  std::atomic<bool> is_over_{false};
  std::mutex mutex_;  ///< of all calls of the source but run
  std::condition_variable changed_;
  // Guarded
  std::int64_t tasks_ = 0;
  int running_ = 0;
  bool is_stopped_ = false, owner_waits_ = false;
};

/// The published jobs, parts of which other threads of this process may run. To wake a helper takes as long as a short part does, so
/// that nobody wakes all: who publishes or ends a part wakes one, and who comes wakes two, as long as there are parts for them.
class Jobs {
 public:
  /// spins: there is a processor for each thread, so that one that waits may do so busily for a moment
  explicit Jobs(bool spins) : spins_(spins) {}

  /// Publish the job, run those of its parts that no helper takes, calling poll() after each, and return when it is over and no helper
  /// works on it any more. An exception becomes the job's failure.
  /// wake: wakes one helper that sleeps, if any does
  void run(Job& job, Job::Wake wake, FunctionRef<void()> poll);
  /// Number of times that something became ready: a change means that there may be parts to run. Sequentially consistent with
  /// ThreadMailbox::wake_sleeper: either the publisher sees that a helper sleeps, or the helper sees the new job.
  std::uint64_t published() const { return published_.load(); }
  /// Run parts of one published job while may_go_on() holds; returns how many.
  std::int64_t run_published_parts(FunctionRef<bool()> may_go_on);

 private:
  void publish(Job& job);
  void withdraw(Job& job);
  Job* join_job();
  void leave_job(Job& job, std::int64_t done);

  const bool spins_;
  std::mutex mutex_;
  std::condition_variable left_;
  std::vector<Job*> jobs_;
  std::atomic<int> open_{0};
  std::atomic<std::uint64_t> published_{0};
};

}  // namespace overlapack::comm
