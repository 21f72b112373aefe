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

/// What the ranks of one team share in this process: MPI, the first error, the clock.
/// Everything is done under `mutex`. Between runs nothing of a team is under way at MPI, so that its end is local.
class Engine {
 public:
  explicit Engine(const TeamOptions& options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const TeamOptions options;
  Library& library;
  Transfers& transfers;
  std::recursive_mutex& mutex;
  EngineCounters counters;
  Hooks hooks;                       ///< of the whole team: any poll of a part runs them all
  std::string_view phase;            ///< the last kind of work begun, for the watchdog
  std::unique_ptr<Workers> workers;  ///< none where nobody helps, or simulated

  double now() const;
  Site& site() const { return *site_; }
  TeamAtMpi& at_mpi() const { return *team_; }
  std::size_t head_bytes() const { return head_bytes_; }
  std::size_t split_bytes() const { return split_bytes_; }
  std::size_t eager_bytes() const { return eager_bytes_; }
  /// Simulated by shapes only.
  bool is_phantom() const { return library.simulation().is_phantom != 0; }
  /// Simulated time: let the processor work. The short protocol's copies are work too, of the kind "copy".
  void charge(const Work& work) const;
  /// Simulated time: let another processor of this node do the work so many times, beside this rank.
  void start_helper(const Work& work, std::int64_t times) const;
  const std::shared_ptr<Endpoint>& world() const { return endpoints_->front(); }
  const OverlapackMpiTable& table() const { return library.table(); }
  void check(int code, const char* call) const { library.check(code, call); }

  /// Let bytes move; true if anything came to its end.
  bool advance();
  /// Keep an operation that has come to its end until the rank's own thread looks.
  void finish(std::shared_ptr<MpiOperation> operation) {
    operation->next_finished = std::move(finished_);
    finished_ = std::move(operation);
  }
  /// On the rank's own thread: mark as done what has come to its end, throw what another rank aborted with. Who calls often and
  /// never waits hears of an abort all the same: now and then bytes move.
  void look();
  /// Before the throw that gives up the memory of puts and gets under way.
  void complete_accesses();
  void publish();
  bool has_unpublished() const { return finished_ != nullptr; }
  void abort(const Error& error) noexcept;
  bool is_aborted() const { return site_->alarm().is_raised(); }
  bool is_running() const { return is_running_; }
  bool is_usable() const { return !transfers.is_broken() && !site_->is_left(); }
  std::int64_t runs() const { return runs_; }

  /// All the memory that a part of at most so many ranks takes to open: nobody may be missing in what follows.
  std::shared_ptr<Endpoint> prepare_part(int most_ranks);
  /// Collective over this communicator, which becomes its own; belongs to nobody until a rank adopts it.
  void add_part(const std::shared_ptr<Endpoint>& prepared, OverlapackComm comm);
  /// Whoever is inside of a collective call is joined there, though an abort has driven this rank out of it.
  void complete_open_meetings();
  /// A silence that no algorithm explains: all ranks have ended their part of the run. Long enough for a machine that is busy with others.
  Wait wait_for(const char* what) const { return {what, is_watched() ? options.watchdog_s + 5 : 0}; }

  // A run
  void begin_run();
  /// Collective: what all ranks agree to be the first error, if there was any; afterwards nothing is on its way.
  std::unique_ptr<Error> end_run();
  /// Since when nothing has happened to a rank that waits.
  struct Silence {
    double since_s;
    std::int64_t events;
  };
  Silence silence_from_now() const { return {now(), site_->watch().events()}; }
  bool is_watched() const { return options.watchdog_s > 0; }
  /// For a rank that waits, again and again: tell, judge, throw where it is mine to end the run.
  void watch(Silence& silence, FunctionRef<std::string()> waits_for);
  /// The wait is over.
  void end_watch();

 private:
  using Endpoints = std::vector<std::shared_ptr<Endpoint>>;
  /// What the ranks tell each other at the end of a run.
  struct RunEnd {
    double time_s;            ///< of the error
    std::int64_t on_the_way;  ///< messages that I sent, less those that came to me
    std::int32_t team;
    std::uint8_t has_failed, is_origin, has_noted;
  };
  static_assert(sizeof(RunEnd) == Site::record_bytes);
  /// What a rank brings to the opening.
  struct Offer {
    std::uint64_t refuses, head_bytes, split_bytes, eager_bytes, is_watched, fingerprint, given_up;
    /// Ranks with other protocols could not read each other's messages.
    bool fits(const Offer& other) const {
      return head_bytes == other.head_bytes && split_bytes == other.split_bytes &&
             eager_bytes == other.eager_bytes && is_watched == other.is_watched;
    }
  };

  void take_simulation();
  void open_team();
  std::optional<Error> refusal_here();
  std::optional<Error> refusal_of_all(const std::vector<Offer>& all, const std::optional<Error>& mine);
  Error unlike(const std::vector<Offer>& all);
  void check_launcher() const;
  void start_workers();
  void check_simulated_workers() const;
  void start_mover();
  void move_bytes_alone(const std::stop_token& stop);

  // The end of a run, step by step
  std::unique_ptr<Error> end_in_agreement();
  std::span<const RunEnd> exchange_status();
  std::unique_ptr<Error> agree_on_error(std::span<const RunEnd> all);
  void share(Poison& poison, int from, const Wait& wait);
  void receive_all();
  void close_endpoints(bool has_failed);
  void free_left_parts();
  void drain_notes();
  void watch_as_finished(Silence& silence);
  void judge();
  template <class Count>
  std::int64_t sum_of_sent_to_me(Count count, const Wait& wait);

  std::shared_ptr<Site> site_;
  std::shared_ptr<TeamAtMpi> team_ = std::make_shared<TeamAtMpi>();
  std::size_t head_bytes_ = 0;
  std::size_t split_bytes_ = 0;
  std::size_t eager_bytes_ = 0;
  double start_s_ = 0;
  /// The world's, then those of parts, as they were made. Where MPI is broken they are left to it.
  std::unique_ptr<Endpoints> endpoints_ = std::make_unique<Endpoints>();
  std::shared_ptr<MpiOperation> finished_;
  std::exception_ptr failure_;  ///< of a call that let bytes move, which nobody may have seen
  std::int64_t runs_ = 0;
  int looks_ = 0;            ///< since bytes moved
  bool is_running_ = false;  ///< the rank's function: only then the mover calls MPI
  std::condition_variable_any run_begins_;
  std::jthread mover_;  ///< last: ends first
};

}  // namespace overlapack::comm::mpi
