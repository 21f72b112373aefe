#include "comm/engine/thread/open_thread.hpp"

#include "comm/engine/thread/team_threads.hpp"
#include "comm/engine/thread/thread_rank.hpp"

#include <atomic>
#include <sched.h>
#include <unistd.h>
#include <utility>

namespace overlapack::comm {

namespace {

/// Affinity mask that threads would get if they were started now.
cpu_set_t usable_set() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return set;
}

/// The threads of a team, with the process and the affinity mask they were started with.
struct Hired {
  std::unique_ptr<thread::TeamThreads> threads;
  pid_t process = getpid();
  cpu_set_t processors = usable_set();

  bool is_mine() const { return process == getpid(); }
  /// In a forked child leak the parent's threads and locks, which cannot be joined or released there.
  void leak_if_forked() {
    if (!is_mine()) static_cast<void>(threads.release());
  }
};

/// Keeps the threads of the team that was closed last, for the next team with equal options: starting threads takes as long as a small
/// factorisation. It has one slot, exchanged atomically, so that a fork never finds a lock held.
class WaitingThreads {
 public:
  WaitingThreads() = default;
  WaitingThreads(const WaitingThreads&) = delete;
  WaitingThreads& operator=(const WaitingThreads&) = delete;
  ~WaitingThreads() { delete_threads(slot_.exchange(nullptr)); }

  /// Take the waiting threads if they have these options, this process and the present affinity mask; else null.
  std::unique_ptr<Hired> remove_if_equal(const TeamOptions& options) {
    std::unique_ptr<Hired> waiting(slot_.exchange(nullptr));
    if (!waiting) return nullptr;
    const cpu_set_t now = usable_set();
    if (waiting->is_mine() && waiting->threads->options == options && CPU_EQUAL(&waiting->processors, &now))
      return waiting;
    put(std::move(waiting));
    return nullptr;
  }
  void put(std::unique_ptr<Hired> hired) { delete_threads(slot_.exchange(hired.release())); }

 private:
  static void delete_threads(Hired* hired) {
    if (hired) hired->leak_if_forked();
    delete hired;
  }
  std::atomic<Hired*> slot_{nullptr};
};
WaitingThreads waiting_threads;

/// Team of threads. In a child that was forked after the team was opened, it starts new threads, as only the forking thread exists there.
class ThreadTeam final : public Team {
 public:
  explicit ThreadTeam(const TeamOptions& options) : options_(options) { reuse_or_start_threads(); }
  ~ThreadTeam() override {
    hired_->leak_if_forked();
    if (!hired_->threads || hired_->threads->size() == 1) return;
    hired_->threads->reset();
    waiting_threads.put(std::move(hired_));
  }

  int size() const override { return options_.ranks; }
  int first_local() const override { return 0; }
  int local_count() const override { return options_.ranks; }

  void run(const std::function<void(Rank&)>& fn) override {
    if (!hired_->is_mine()) {
      hired_->leak_if_forked();
      reuse_or_start_threads();
    }
    hired_->threads->run(fn);
  }

 private:
  void reuse_or_start_threads() {
    std::unique_ptr<Hired> hired = waiting_threads.remove_if_equal(options_);
    if (!hired) hired = std::make_unique<Hired>(Hired{std::make_unique<thread::TeamThreads>(options_)});
    hired_ = std::move(hired);
  }

  const TeamOptions options_;
  std::unique_ptr<Hired> hired_;
};

}  // namespace

std::unique_ptr<Team> open_thread(const TeamOptions& options) {
  return std::make_unique<ThreadTeam>(options);
}

}  // namespace overlapack::comm
