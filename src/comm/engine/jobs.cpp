#include "comm/engine/jobs.hpp"

#include "comm/engine/spin.hpp"

namespace overlapack::comm {

namespace {

constexpr auto owner_nap = std::chrono::microseconds(200);  ///< longest sleep of an owner between two polls

}  // namespace

void Job::fail(std::exception_ptr failure) {
  {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::move(failure);
  }
  stop();
}

bool SliceJob::run_one() {
  if (!has_ready()) return false;
  const std::size_t i = next_.fetch_add(1, std::memory_order_relaxed);
  if (i >= count_) return false;
  slice_(i);
  return true;
}

TaskJob::TaskJob(TaskSource& source) : source_(source) { count_ready(); }

void TaskJob::count_ready() {
  ready_.store(is_stopped_ ? 0 : source_.ready(), std::memory_order_relaxed);
  is_over_.store(running_ == 0 && (is_stopped_ || source_.is_over()), std::memory_order_release);
}

bool TaskJob::run_one() {
  TaskSource::Task task;
  {
    const std::lock_guard lock(mutex_);
    if (is_stopped_ || source_.ready() == 0) return false;
    task = source_.take();
    ++running_;
    ++tasks_;
    count_ready();
  }
  try {
    source_.run(task);
    finish(task);
  } catch (...) {
    fail(std::current_exception());
    const std::lock_guard lock(mutex_);
    --running_;
    count_ready();
    changed_.notify_all();
  }
  return true;
}

/// Report the task to the source, and wake others for the tasks that are ready now, of which this thread takes one.
void TaskJob::finish(TaskSource::Task task) {
  std::size_t more = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!is_stopped_) source_.done(task);
    --running_;
    count_ready();
    more = ready_.load(std::memory_order_relaxed);
    if (owner_waits_ && (more > 0 || is_over_.load(std::memory_order_relaxed))) changed_.notify_all();
  }
  if (more > 1 && wake) (*wake)();
}

bool TaskJob::is_over() { return is_over_.load(std::memory_order_acquire); }

void TaskJob::stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  count_ready();
}

bool TaskJob::wait_briefly(FunctionRef<bool()> may_go_on) {
  return spins && spin_until([&] { return has_ready() || is_over() || !may_go_on(); }) && has_ready();
}

void TaskJob::wait_for_ready() {
  if (wait_briefly([] { return true; })) return;
  std::unique_lock lock(mutex_);
  owner_waits_ = true;
  changed_.wait_for(lock, owner_nap, [&] { return has_ready() || is_over(); });
  owner_waits_ = false;
}

void Jobs::run(Job& job, Job::Wake wake, FunctionRef<void()> poll) {
  const auto publish_again = [&] {
    published_.fetch_add(1);
    wake();
  };
  job.spins = spins_;
  job.wake.emplace(publish_again);
  publish(job);
  try {
    if (job.ready() > 1) wake();
    for (;;) {
      if (!job.run_one()) {
        if (job.is_over()) break;
        job.wait_for_ready();
      }
      poll();
    }
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
  const auto is_left = [&] { return job.visitors.load() == 0; };
  if (is_left()) return;
  if (spins_) {
    lock.unlock();
    spin_until(is_left);
    lock.lock();
  }
  left_.wait(lock, is_left);
}

Job* Jobs::join_job() {
  const std::lock_guard lock(mutex_);
  for (Job* job : jobs_) {
    if (!job->has_ready()) continue;
    ++job->visitors;
    return job;
  }
  return nullptr;
}

void Jobs::leave_job(Job& job, std::int64_t done) {
  const std::lock_guard lock(mutex_);
  job.run_by_others += done;
  if (--job.visitors == 0) left_.notify_all();
}

std::int64_t Jobs::run_published_parts(FunctionRef<bool()> may_go_on) {
  if (open_.load(std::memory_order_acquire) == 0) return 0;
  Job* const job = join_job();
  if (!job) return 0;
  std::int64_t done = 0;
  try {
    wake_two(job->ready(), *job->wake);
    while (may_go_on() && (job->run_one() ? (++done, true) : job->wait_briefly(may_go_on))) {
    }
  } catch (...) {
    job->fail(std::current_exception());
  }
  leave_job(*job, done);
  return done;
}

}  // namespace overlapack::comm
