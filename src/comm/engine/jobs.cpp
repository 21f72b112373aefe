#include "comm/engine/jobs.hpp"

#include <algorithm>

namespace overlapack::comm {

bool Job::run_one() {
  if (!has_more()) return false;
  const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
  if (i >= count_) return false;
  slice_(i);
  return true;
}

void Job::fail(std::exception_ptr failure) {
  stop();
  const std::lock_guard lock(failure_mutex_);
  if (!failure_) failure_ = std::move(failure);
}

void Jobs::run(Job& job, FunctionRef<void()> wake, FunctionRef<void()> poll) {
  publish(job);
  try {
    wake();
    while (job.run_one()) poll();
  } catch (...) {
    job.fail(std::current_exception());
  }
  withdraw(job);
}

void Jobs::publish(Job& job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(&job);
  open_.fetch_add(1, std::memory_order_release);
  published_.fetch_add(1);
}

/// Remove the job from the list and wait until no helper works on it.
void Jobs::withdraw(Job& job) {
  std::unique_lock lock(mutex_);
  std::erase(jobs_, &job);
  open_.fetch_sub(1, std::memory_order_release);
  left_.wait(lock, [&] { return job.visitors == 0; });
}

Job* Jobs::enter() {
  const std::lock_guard lock(mutex_);
  for (Job* job : jobs_) {
    if (!job->has_more()) continue;
    ++job->visitors;
    return job;
  }
  return nullptr;
}

void Jobs::leave(Job& job, std::int64_t done) {
  const std::lock_guard lock(mutex_);
  job.run_by_others += done;
  if (--job.visitors == 0) left_.notify_all();
}

std::int64_t Jobs::help(FunctionRef<bool()> may_go_on) {
  if (open_.load(std::memory_order_acquire) == 0) return 0;
  Job* const job = enter();
  if (!job) return 0;
  std::int64_t done = 0;
  try {
    while (may_go_on() && job->run_one()) ++done;
  } catch (...) {
    job->fail(std::current_exception());
  }
  leave(*job, done);
  return done;
}

}  // namespace overlapack::comm
