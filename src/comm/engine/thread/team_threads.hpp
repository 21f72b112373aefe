#pragma once
#include "comm/engine/jobs.hpp"
#include "comm/engine/thread/group.hpp"
#include "comm/team.hpp"

#include <cfenv>
#include <optional>
#include <thread>

namespace overlapack::comm::thread {

class ThreadRank;
class TeamThreads;

/// The teams in whose runs a thread is, from the innermost one outwards.
struct RunningTeams {
  const TeamThreads* team = nullptr;
  const RunningTeams* outer = nullptr;
};

/// The threads of one team (ranks and workers) and what they share: the published jobs, the first error, the watchdog. A thread is
/// parked between runs. The threads of ranks take part in runs, and all threads run slices of others while they have nothing to do.
class TeamThreads {
 public:
  explicit TeamThreads(const TeamOptions& options);
  ~TeamThreads();
  TeamThreads(const TeamThreads&) = delete;
  TeamThreads& operator=(const TeamThreads&) = delete;

  void run(const std::function<void(Rank&)>& fn);
  /// Between two teams that use these threads: drop messages and counters, as if the threads were new.
  void reset();

  // Shared by the ranks
  const TeamOptions options;
  const bool is_crowded;  ///< whether there are more threads than processors: then no thread waits busily
  Jobs jobs;
  double now() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
  int size() const { return static_cast<int>(members_.size()); }
  /// Register a group, so that its messages are dropped after an abort.
  void add(const std::shared_ptr<Group>& group);
  /// Wake one sleeping thread, if there is one.
  void wake_one();

  void abort(const Error& error) noexcept;
  bool is_aborted() const { return is_aborted_.load(); }
  void throw_if_aborted() const {
    if (is_aborted_.load(std::memory_order_acquire)) throw_first_error();
  }
  /// Time until which a rank may sleep before it must call watch().
  Clock::time_point next_watch() const;
  void watch();

 private:
  struct Member {
    ThreadMailbox mailbox;
    std::unique_ptr<ThreadRank> rank;  ///< null for workers
    std::thread thread;                ///< none for rank 0
    std::atomic<bool> is_running{false};
  };

  void start_threads();
  void stop_threads() noexcept;
  void run_thread(std::size_t index);
  void wake_below(std::size_t member);
  void run_rank(Member& member) noexcept;
  void idle_until(ThreadMailbox& mailbox, FunctionRef<bool()> is_over);
  [[noreturn]] void throw_first_error() const;
  void forget_messages();
  std::string silence_report(double silence_s);

  const Clock::time_point start_ = Clock::now();
  std::vector<std::unique_ptr<Member>> members_;
  std::shared_ptr<Group> team_;

  std::mutex run_mutex_;                            ///< one run at a time
  const std::function<void(Rank&)>* fn_ = nullptr;  ///< function of the present run
  RunningTeams running_teams_;  ///< on all its ranks: this one, then those of the caller's thread
  std::fenv_t floats_{};        ///< the caller's rounding and traps, set on all ranks
  /// Number of runs begun; threads of ranks wait for it to grow
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<int> running_{0};  ///< ranks that have not ended the present run
  std::atomic<bool> is_stopping_{false};

  std::atomic<bool> is_aborted_{false};
  mutable std::mutex error_mutex_;
  std::optional<Error> first_error_;

  std::mutex groups_mutex_;
  std::vector<std::weak_ptr<Group>> groups_;

  std::mutex watch_mutex_;
};

}  // namespace overlapack::comm::thread
