#include "comm/tasks.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace overlapack::comm {
namespace {

constexpr auto poll_period = std::chrono::milliseconds(20);

/// Thrown out of a task on a helper once the run has failed.
struct Dropped {};

struct Task {
  double size = 0;
  std::function<void()> run;
  auto operator<=>(const Task& other) const { return size <=> other.size; }
  bool operator==(const Task& other) const { return size == other.size; }
};

}  // namespace

struct Tasks::State {
  int most_threads;
  std::function<void(double)> poll;
  std::thread::id caller;
  std::chrono::steady_clock::time_point polled{};

  std::mutex mutex;
  std::condition_variable changed;
  // Guarded
  std::vector<Task> waiting;  ///< a heap
  int running = 0;
  bool is_over = false;
  double counted = 0;
  std::exception_ptr failure;
  std::vector<std::thread> helpers;

  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex);
    if (!failure) failure = std::move(error);
    waiting.clear();
    changed.notify_all();
  }

  void run_next(std::unique_lock<std::mutex>& lock) {
    std::ranges::pop_heap(waiting);
    const Task task = std::move(waiting.back());  // without a copy: nothing here throws
    waiting.pop_back();
    ++running;
    lock.unlock();
    try {
      task.run();
    } catch (const Dropped&) {
    } catch (...) {
      fail(std::current_exception());
    }
    lock.lock();
    if (--running == 0 && waiting.empty()) changed.notify_all();
  }

  void help() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return is_over || !waiting.empty(); });
      if (is_over) return;
      run_next(lock);
    }
  }

  /// A helper for a task that waits while others run.
  void start_helper() {
    if (static_cast<int>(helpers.size()) + 1 >= most_threads || running == 0) return;
    try {
      helpers.emplace_back([this] { help(); });
    } catch (const std::system_error&) {
      most_threads = static_cast<int>(helpers.size()) + 1;
    }
  }

  double counted_so_far() {
    const std::lock_guard lock(mutex);
    return counted;
  }

  void poll_now_and_then() {
    const auto now = std::chrono::steady_clock::now();
    if (!poll || now - polled < poll_period) return;
    polled = now;
    poll(counted_so_far());
  }
};

Tasks::Tasks(int threads, std::function<void(double)> poll) : state_(std::make_unique<State>()) {
  state_->most_threads = threads;
  state_->poll = std::move(poll);
  state_->caller = std::this_thread::get_id();
}

Tasks::~Tasks() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_over = true;
  }
  state_->changed.notify_all();
  for (std::thread& helper : state_->helpers) helper.join();
}

void Tasks::run(std::function<void()> first) {
  State& s = *state_;
  add(0, std::move(first));
  std::unique_lock lock(s.mutex);
  while (s.running > 0 || !s.waiting.empty()) {
    if (!s.waiting.empty()) {
      s.run_next(lock);
    } else {
      s.changed.wait_for(lock, poll_period);
    }
    lock.unlock();
    try {
      s.poll_now_and_then();
    } catch (...) {
      s.fail(std::current_exception());
    }
    lock.lock();
  }
  if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
}

void Tasks::add(double size, std::function<void()> task) {
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->failure) return;
    state_->waiting.push_back({size, std::move(task)});
    std::ranges::push_heap(state_->waiting);
    state_->start_helper();
  }
  state_->changed.notify_one();
}

void Tasks::count(double work) {
  const std::lock_guard lock(state_->mutex);
  state_->counted += work;
}

double Tasks::counted() const { return state_->counted_so_far(); }

void Tasks::check() {
  State& s = *state_;
  if (std::this_thread::get_id() == s.caller) return s.poll_now_and_then();
  const std::lock_guard lock(s.mutex);
  if (s.failure) throw Dropped();
}

}  // namespace overlapack::comm
