#include "comm/tasks.hpp"

#include "base/processors.hpp"
#include "comm/busy_threads.hpp"
#include "comm/engine/spin.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <exception>
#include <limits>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace overlapack::comm {
namespace {

constexpr auto poll_period = std::chrono::milliseconds(20);

/// Thrown out of a task on a helper once the run has failed.
struct Dropped {};

double thread_s() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// This thread's position on its chain of tasks that wait for each other: the processor time of that chain so far (Tasks::Time::path_s).
class Chain {
 public:
  void begin(double at_s) {
    at_s_ = at_s;
    since_s_ = thread_s();
  }
  double now_s() const { return at_s_ + thread_s() - since_s_; }

 private:
  double at_s_ = 0, since_s_ = 0;
};
thread_local Chain chain;

}  // namespace

struct Tasks::State {
  struct Task {
    double size = 0;
    double chain_s = 0;  ///< length of the adding task's chain when it added this one
    std::function<void()> run;
    auto operator<=>(const Task& other) const { return size <=> other.size; }
    bool operator==(const Task& other) const { return size == other.size; }
  };

  /// The parts of one for_each call; each thread that takes part claims the next one until none is left.
  struct Loop {
    Loop(Index parts_of, const std::function<void(Index)>& part_of, double chain_s_of)
        : parts(parts_of), part(part_of), chain_s(chain_s_of), longest_s(chain_s_of) {}

    const Index parts;
    const std::function<void(Index)>& part;  ///< lives until all parts are done
    const double chain_s;                    ///< length of the caller's chain when it called for_each
    std::atomic<Index> next = 0;
    std::atomic<Index> done = 0;  ///< changed under the lock
    std::mutex mutex;
    std::condition_variable is_done;
    // Guarded
    double longest_s;
    std::exception_ptr failure;

    bool has_failed() {
      const std::lock_guard lock(mutex);
      return failure != nullptr;
    }

    void take_parts() {
      for (Index i; (i = next++) < parts;) {
        std::exception_ptr error;
        chain.begin(chain_s);
        try {
          if (!has_failed()) part(i);
        } catch (...) {
          error = std::current_exception();
        }
        const double end_s = chain.now_s();
        const std::lock_guard lock(mutex);
        if (!failure) failure = error;
        longest_s = std::max(longest_s, end_s);
        if (++done == parts) is_done.notify_all();
      }
    }

    bool is_over() const { return done.load() == parts; }
  };

  explicit State(int threads) : most_threads(threads), busy(threads) {}

  int most_threads;
  const BusyThreads busy;
  bool spins = false;  ///< there is a processor for each thread
  std::function<void(double)> poll;
  std::thread::id caller;
  double caller_began_s = 0, chain_began_s = 0;
  std::chrono::steady_clock::time_point polled{};

  /// Counts pushed tasks and the end of the Tasks; a spinning helper looks at it
  std::atomic<std::uint64_t> news = 0;
  std::mutex mutex;
  std::condition_variable changed;
  // Guarded
  std::vector<Task> waiting;  ///< a heap
  int running = 0;
  bool is_over = false;
  double counted = 0;
  double longest_s = 0;  ///< longest chain of the run so far
  double helpers_s = 0;  ///< processor time of the helpers
  double spun_s = 0;     ///< processor time that helpers and caller spent in busy waits
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
    chain.begin(task.chain_s);
    try {
      task.run();
    } catch (const Dropped&) {
    } catch (...) {
      fail(std::current_exception());
    }
    const double end_s = chain.now_s();
    lock.lock();
    longest_s = std::max(longest_s, end_s);
    if (--running == 0 && waiting.empty()) changed.notify_all();
  }

  /// A helper waits busily for a moment before it sleeps.
  void wait_for_task(std::unique_lock<std::mutex>& lock) {
    const auto has_news = [&] { return is_over || !waiting.empty(); };
    if (has_news()) return;
    if (spins) {
      const std::uint64_t seen = news.load();
      lock.unlock();
      spin_until([&] { return news.load() != seen; });
      lock.lock();
    }
    if (has_news()) return;
    changed.wait(lock, has_news);
    wake_two(waiting.size(), [&] { changed.notify_one(); });
  }

  void help_others() {
    std::unique_lock lock(mutex);
    for (;;) {
      wait_for_task(lock);
      if (is_over) return;
      const double before_s = thread_s();
      run_next(lock);
      helpers_s += thread_s() - before_s;
    }
  }

  /// Start one more helper, unless there are most_threads: the thread that adds a task is busy itself.
  void start_helper() {
    if (static_cast<int>(helpers.size()) + 1 >= most_threads) return;
    try {
      helpers.emplace_back([this] { help_others(); });
    } catch (const std::system_error&) {
      most_threads = static_cast<int>(helpers.size()) + 1;
    }
  }

  void push(Task task) {
    waiting.push_back(std::move(task));
    std::ranges::push_heap(waiting);
    news.fetch_add(1);
  }

  /// Push one task for each helper that may join the loop, of infinite size: helpers take parts of loops before other tasks.
  void invite(const std::shared_ptr<Loop>& loop) {
    constexpr double first = std::numeric_limits<double>::infinity();
    Index others = 0;
    {
      const std::lock_guard lock(mutex);
      others = std::min<Index>(loop->parts, most_threads) - 1;
      try {
        for (Index i = 0; i < others; ++i) {
          push({first, loop->chain_s, [loop] { loop->take_parts(); }});
          start_helper();
        }
      } catch (const std::bad_alloc&) {  // those who have come take all parts
      }
    }
    if (others > 0) changed.notify_one();
  }

  void wait_for(Loop& loop) {
    if (spins && !loop.is_over()) {
      const double before_s = thread_s();
      spin_until([&] { return loop.is_over(); });
      const std::lock_guard lock(mutex);
      spun_s += thread_s() - before_s;
    }
    std::unique_lock lock(loop.mutex);
    loop.is_done.wait(lock, [&] { return loop.is_over(); });
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

Tasks::Tasks(int threads) : state_(std::make_unique<State>(threads)) {
  state_->spins = threads <= count_usable_processors();
  state_->caller = std::this_thread::get_id();
  state_->caller_began_s = thread_s();
  state_->chain_began_s = chain.now_s();
}

Tasks::~Tasks() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->is_over = true;
    state_->news.fetch_add(1);
  }
  state_->changed.notify_all();
  for (std::thread& helper : state_->helpers) helper.join();
}

void Tasks::run(std::function<void()> first, std::function<void(double)> poll) {
  State& s = *state_;
  std::unique_lock lock(s.mutex);
  s.poll = std::move(poll);
  s.counted = 0;
  s.longest_s = chain.now_s();
  s.push({0, s.longest_s, std::move(first)});
  while (s.running > 0 || !s.waiting.empty()) {
    if (!s.waiting.empty()) {
      s.run_next(lock);
    } else {
      s.changed.wait_for(lock, poll_period);
      wake_two(s.waiting.size(), [&] { s.changed.notify_one(); });
    }
    lock.unlock();
    try {
      s.poll_now_and_then();
    } catch (...) {
      s.fail(std::current_exception());
    }
    lock.lock();
  }
  s.poll = {};
  chain.begin(s.longest_s);
  if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
}

void Tasks::add(double size, std::function<void()> task) {
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->failure) return;
    state_->push({size, chain.now_s(), std::move(task)});
    state_->start_helper();
  }
  state_->changed.notify_one();
}

void Tasks::for_each(Index parts, const std::function<void(Index)>& part) {
  if (parts <= 0) return;
  if (parts == 1) return part(0);
  const auto loop = std::make_shared<State::Loop>(parts, part, chain.now_s());
  state_->invite(loop);
  loop->take_parts();
  state_->wait_for(*loop);
  chain.begin(loop->longest_s);
  if (loop->failure) std::rethrow_exception(loop->failure);
}

void Tasks::for_ranges(Index count, const std::function<void(Index, Index)>& range, Index most) {
  for_each((count + most - 1) / most, [&](Index i) { range(i * most, std::min(count, (i + 1) * most)); });
}

void Tasks::count(double work) {
  const std::lock_guard lock(state_->mutex);
  state_->counted += work;
}

void Tasks::check() {
  State& s = *state_;
  if (std::this_thread::get_id() == s.caller) return s.poll_now_and_then();
  const std::lock_guard lock(s.mutex);
  if (s.failure) throw Dropped();
}

Tasks::Time Tasks::time() const {
  const std::lock_guard lock(state_->mutex);
  return {thread_s() - state_->caller_began_s + state_->helpers_s - state_->spun_s,
          chain.now_s() - state_->chain_began_s};
}

}  // namespace overlapack::comm
