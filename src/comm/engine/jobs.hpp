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

/// The work of one run_slices or run_tasks call of a rank, the owner. It stands on the owner's stack while it is published, and other
/// threads of the process, the helpers, join it and run parts of it.
class Job {
 public:
  using Wake = FunctionRef<void()>;

  Job() = default;
  virtual ~Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Run the next part; returns false if none is ready.
  virtual bool run_one() = 0;
  /// Number of parts that could begin now.
  virtual std::size_t ready() const = 0;
  bool has_ready() const { return ready() > 0; }
  /// Whether no part is left that runs, is ready, or could become ready.
  virtual bool is_over() = 0;
  /// Give out no more parts.
  virtual void stop() = 0;
  /// For helpers: wait busily, at most most_spin, for a part to become ready. Returns false if none did: then the helper leaves the job.
  virtual bool wait_briefly(FunctionRef<bool()> may_go_on) = 0;
  /// For the owner: wait until a part is ready or the job is over, but not longer than the owner may go without polling.
  virtual void wait_for_ready() = 0;
  /// Keep the first exception of a part and give out no more parts.
  void fail(std::exception_ptr failure);
  /// Called by the owner once no helper works on the job.
  void rethrow_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  // Set by Jobs
  bool spins = false;              ///< each thread has a processor of its own, so that waits may be busy
  std::optional<Wake> wake;        ///< wakes one helper that sleeps
  std::atomic<int> visitors{0};    ///< helpers inside the job; changed under the lock of Jobs
  std::int64_t run_by_others = 0;  ///< parts that helpers have run; guarded by the lock of Jobs

 private:
  std::mutex failure_mutex_;
  std::exception_ptr failure_;  ///< the first
};

/// Job of run_slices: its parts are all ready from the beginning.
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

/// Job of run_tasks: its parts are tasks that become ready as others end.
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
  std::mutex mutex_;  ///< held in all calls of the source except run
  std::condition_variable changed_;
  // Guarded
  std::int64_t tasks_ = 0;
  int running_ = 0;
  bool is_stopped_ = false, owner_waits_ = false;
};

/// The published jobs of a process, of which its other threads may run parts. To wake a helper takes as long as a short part, so that no
/// thread wakes all others: a thread that publishes a job, or ends a task, wakes one helper, and a helper that joins wakes two more, as
/// long as there are parts for them.
class Jobs {
 public:
  /// spins: each thread has a processor of its own, so that a waiting thread may wait busily for a moment
  explicit Jobs(bool spins) : spins_(spins) {}

  /// For the owner: publish the job, run those of its parts that no helper takes, and call poll() after each. Returns when the job is
  /// over and no helper works on it any more. An exception of a part or of poll becomes the job's failure.
  /// wake: wakes one helper that sleeps, if there is one
  void run(Job& job, Job::Wake wake, FunctionRef<void()> poll);
  /// Counter that grows when parts become ready: a change means that there may be parts to run. It is sequentially consistent with
  /// ThreadMailbox::wake_sleeper: either the publisher sees that a helper sleeps, or the helper sees the new job.
  std::uint64_t published() const { return published_.load(); }
  /// For helpers: run parts of one published job while may_go_on() holds; returns how many.
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
  std::atomic<int> open_{0};  ///< number of jobs_, readable without the lock
  std::atomic<std::uint64_t> published_{0};
};

}  // namespace overlapack::comm
