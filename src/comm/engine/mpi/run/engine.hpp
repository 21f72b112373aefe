#pragma once
#include "comm/engine/mpi/process/operation.hpp"
#include "comm/engine/mpi/process/site.hpp"
#include "comm/engine/mpi/run/endpoint.hpp"
#include "comm/engine/workers.hpp"
#include "comm/hooks.hpp"
#include "comm/rank.hpp"
#include "comm/team.hpp"

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace overlapack::comm::mpi {

/// State of one team in this process, shared by its rank and the ranks of its parts: MPI, the first error, the clock.
/// All calls hold `mutex`. Between runs no request of a team is under way, so that destroying it is local.
class Engine {
 public:
  explicit Engine(const TeamOptions& options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const TeamOptions options;
  MpiLibrary& library;
  Transfers& transfers;
  std::recursive_mutex& mutex;
  EngineCounters counters;
  Hooks hooks;                       ///< of the team and all parts: any poll runs them all
  std::string_view phase;            ///< kind of the last work begun, for the watchdog
  std::unique_ptr<Workers> workers;  ///< null without workers, and simulated

  double now() const;
  Site& site() const { return *site_; }
  TeamAtMpi& at_mpi() const { return *team_; }
  std::size_t head_bytes() const { return head_bytes_; }
  std::size_t split_bytes() const { return split_bytes_; }
  std::size_t eager_bytes() const { return eager_bytes_; }
  /// Whether this is a simulation by shapes only.
  bool is_phantom() const { return library.simulation().is_phantom != 0; }
  /// Simulated time: let the time of `work` pass. Copies of the short protocol are work, too, of kind "copy".
  void charge(const Work& work) const;
  /// Simulated time: let another processor of this node do `work` `times` times, concurrently with this rank.
  void start_helper(const Work& work, std::int64_t times) const;
  const std::shared_ptr<Endpoint>& world() const { return endpoints_->front(); }
  const OverlapackMpiTable& table() const { return library.table(); }
  void check(int code, const char* call) const { library.check(code, call); }

  /// Let MPI progress; true if a request completed.
  bool advance();
  /// Queue a completed operation until the rank's own thread publishes it.
  void finish(std::shared_ptr<MpiOperation> operation) {
    operation->next_finished = std::move(finished_);
    finished_ = std::move(operation);
  }
  /// On the rank's own thread: publish completed operations, and throw the error with which another rank aborted. Now and then also
  /// makes progress, so that a rank that never waits notices an abort.
  void publish_and_check_abort();
  /// Flush puts and gets under way: called before a throw that may free their memory.
  void complete_accesses();
  void publish();
  bool has_unpublished() const { return finished_ != nullptr; }
  void abort(const Error& error) noexcept;
  bool is_aborted() const { return site_->alarm().is_raised(); }
  bool is_running() const { return is_running_; }
  bool is_usable() const { return !transfers.is_broken() && !site_->is_freed(); }
  std::int64_t runs() const { return runs_; }

  /// Allocate all memory needed to open a part of at most most_ranks ranks: a rank that failed later would block the others.
  std::shared_ptr<Endpoint> prepare_part(int most_ranks);
  /// Open the prepared part on `comm`, which it owns from now on. Collective over `comm`.
  void add_part(const std::shared_ptr<Endpoint>& prepared, OverlapackComm comm);
  /// Complete the meetings that this rank left through an abort, as the others block in their collective calls.
  void complete_open_meetings();
  /// Time limit for waits after all ranks' functions have returned: 5 s more than the watchdog's, for busy machines.
  Wait wait_for(const char* what) const { return {what, is_watched() ? options.watchdog_s + 5 : 0}; }

  // A run
  void begin_run();
  /// Collective: returns the first error, the same on all ranks, or null; afterwards no message is under way.
  std::unique_ptr<Error> end_run();
  /// Since when no request of a waiting rank has completed.
  struct Silence {
    double since_s;
    std::int64_t events;
  };
  Silence silence_from_now() const { return {now(), site_->watch().events()}; }
  bool is_watched() const { return options.watchdog_s > 0; }
  /// Called repeatedly by a waiting rank: report to rank 0, on rank 0 check all reports, and throw if this rank is told to abort.
  void watch(Silence& silence, FunctionRef<std::string()> waits_for);
  /// Withdraw this rank's report: its wait is over.
  void end_watch();
  /// In a long wait within a run; errors as MpiLibrary::require_all_present.
  void require_all_present();

 private:
  using Endpoints = std::vector<std::shared_ptr<Endpoint>>;
  static constexpr std::int32_t no_team = -1;
  /// Record that each rank gathers to all at the end of a run.
  struct RunEnd {
    std::int32_t team;
    std::uint8_t has_failed, has_raised_first, has_sent_notes;
    double time_s;            ///< of the error
    std::int64_t on_the_way;  ///< messages sent by this rank less those that arrived here
    std::int64_t unused[3];
  };
  /// The same at the opening of a team. Both begin with the team and have one size, so that ranks in different calls see that.
  struct Offer {
    std::int32_t team;  ///< no_team
    std::uint8_t refuses, is_watched;
    std::uint32_t head_bytes, split_bytes;
    std::uint64_t eager_bytes, fingerprint, given_up;
    double clock_s;
    /// Whether the options that must agree do: ranks with different ones could not read each other's messages.
    bool fits(const Offer& other) const {
      return head_bytes == other.head_bytes && split_bytes == other.split_bytes &&
             eager_bytes == other.eager_bytes && is_watched == other.is_watched;
    }
  };

  void read_simulation_settings();
  void open_team();
  std::optional<Error> refusal_here();
  void require_same_call(std::span<const RunEnd> all);
  std::optional<Error> refusal_of_all(std::span<const Offer> all, const std::optional<Error>& mine);
  Error describe_unlike_offer(std::span<const Offer> all);
  void check_launcher() const;
  void start_workers();
  void check_simulated_workers() const;
  void start_progress_thread();
  void run_progress_thread(const std::stop_token& stop);

  // The end of a run, step by step
  std::unique_ptr<Error> agree_on_end_of_run();
  std::span<const RunEnd> gather_run_ends();
  std::unique_ptr<Error> agree_on_error(std::span<const RunEnd> all);
  void share(Poison& poison, int from, const Wait& wait);
  void receive_all();
  void close_endpoints(bool has_failed);
  void free_unused_parts();
  void receive_late_notes();
  void watch_as_finished(Silence& silence);
  void abort_if_deadlocked();
  template <class Count>
  std::int64_t sum_of_sent_to_me(Count count, const Wait& wait);

  std::shared_ptr<Site> site_;
  std::shared_ptr<TeamAtMpi> team_ = std::make_shared<TeamAtMpi>();
  std::size_t head_bytes_ = 0;
  std::size_t split_bytes_ = 0;
  std::size_t eager_bytes_ = 0;
  double start_s_ = 0;
  /// The team's, then those of parts in the order of creation. Leaked where MPI is broken, as it may still write there.
  std::unique_ptr<Endpoints> endpoints_ = std::make_unique<Endpoints>();
  std::shared_ptr<MpiOperation> finished_;
  std::exception_ptr failure_;  ///< of a failed advance(), to be thrown by the next publish_and_check_abort()
  std::int64_t runs_ = 0;
  int looks_ = 0;            ///< calls of publish_and_check_abort() since the last advance()
  bool is_running_ = false;  ///< within a run: only then the progress thread calls MPI
  std::condition_variable_any run_begins_;
  std::jthread mover_;  ///< progress thread; last member, so destroyed first
};

}  // namespace overlapack::comm::mpi
