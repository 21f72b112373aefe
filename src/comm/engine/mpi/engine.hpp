#pragma once
#include "comm/engine/mpi/alarm.hpp"
#include "comm/engine/mpi/endpoint.hpp"
#include "comm/engine/mpi/operation.hpp"
#include "comm/engine/mpi/transfers.hpp"
#include "comm/engine/mpi/watch.hpp"
#include "comm/engine/workers.hpp"
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

/// Spends the time of a rank that has nothing to do: tests, then yields, then sleeps for short times. Simulated time
/// passes only when somebody spends it: there each rest is a share of the wait so far, so that a long wait takes few
/// rests and ends late by no more than this share.
class Patience {
 public:
  explicit Patience(const Library& library) : library_(library) {}
  /// `longest_s`: until the deadline; kept to in simulated time, where a rest may be long.
  /// `may_nap`: not while a message of ours is on its way, since many an MPI moves it piece by piece, in calls of both sides.
  void rest(double longest_s = no_deadline, bool may_nap = true);
  void reset() { rounds_ = 0, waited_s_ = 0; }

 private:
  const Library& library_;
  int rounds_ = 0;
  double waited_s_ = 0;  ///< simulated
};

/// What the ranks of one team share in this process: MPI, the first error, the clock.
/// Everything is done under `mutex`.
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
  std::string_view phase;            ///< the last kind of work begun, for the watchdog
  std::unique_ptr<Workers> workers;  ///< none where nobody helps, or simulated

  double now() const;
  int node() const { return node_; }
  std::size_t head_bytes() const { return head_bytes_; }
  std::size_t split_bytes() const { return split_bytes_; }
  std::size_t eager_bytes() const { return eager_bytes_; }
  /// Simulated by shapes only.
  bool is_phantom() const { return library.simulation().is_phantom != 0; }
  /// Simulated time: let the processor work. The short protocol's copies are work too, of the kind "copy".
  void charge(const Work& work) const;
  /// Simulated time: let another processor of this node do the work so many times, beside this rank.
  void start_helper(const Work& work, std::int64_t times) const;
  int largest_tag() const { return largest_tag_; }
  const std::shared_ptr<Endpoint>& shared_world() const { return endpoints_.front(); }
  const OverlapackMpiTable& table() const { return library.table(); }
  void check(int code, const char* call) const { library.check(code, call); }

  /// Let bytes move; true if anything came to its end.
  bool advance();
  /// Keep an operation that has come to its end until the rank's own thread looks.
  void finish(std::shared_ptr<MpiOperation> operation) {
    operation->next_finished = std::move(finished_);
    finished_ = std::move(operation);
  }
  /// On the rank's own thread: mark as done what has come to its end, throw what another rank aborted with.
  void look();
  /// Before the throw that gives up the memory of puts and gets under way.
  void complete_accesses();
  void publish();
  bool has_unpublished() const { return finished_ != nullptr; }
  void abort(const Error& error) noexcept;
  bool is_aborted() const { return alarm_->is_raised(); }

  /// Serve the engine until is_over(), whatever happens elsewhere; simulated ranks block where only an arriving
  /// message or a finished send can make it true.
  template <class IsOver>
  void serve_until(IsOver is_over);
  /// Wait for one collective that is under way; no abort ends it.
  template <class Start>
  void complete(Start start, const char* call);
  /// One value of every rank of a communicator, in rank order.
  template <class T>
  std::vector<T> gather(OverlapackComm comm, int size, const T& mine);
  template <class T>
  void gather_into(OverlapackComm comm, const T& mine, T* all);

  /// All the memory that a team of at most so many ranks takes to open: nobody may be missing in what follows.
  std::shared_ptr<Endpoint> prepare_endpoint(int most_ranks);
  /// Collective over this communicator, which becomes its own; belongs to nobody until a rank adopts it.
  void add_endpoint(const std::shared_ptr<Endpoint>& prepared, OverlapackComm comm);

  // A run
  void begin_run();
  /// Collective: what all ranks agree to be the first error, if there was any; afterwards nothing is on its way.
  std::unique_ptr<Error> end_run();
  std::function<void(const std::string&)> on_silence;
  /// Since when nothing has happened to a rank that waits.
  struct Silence {
    double since_s;
    std::int64_t events;
  };
  Silence silence_from_now() const { return {now(), watch_->events()}; }
  bool is_watched() const { return watch_->silence_s() > 0; }
  /// For a rank that waits, again and again: tell, judge, throw where it is mine to end the run.
  void watch(Silence& silence, FunctionRef<std::string()> waits_for);
  /// The wait is over.
  void end_watch();

 private:
  using Endpoints = std::vector<std::shared_ptr<Endpoint>>;
  struct Status {
    double time_s;
    std::int32_t has_failed;
    std::int32_t has_sent_poison;
  };
  /// What a rank brings to the opening.
  struct Offer {
    std::uint64_t refuses, head_bytes, split_bytes, eager_bytes, is_watched;
    bool operator==(const Offer&) const = default;
  };

  void take_simulation();
  void agree_to_open();
  std::optional<Error> refusal_here();
  std::optional<Error> refusal_of_all(const std::optional<Error>& mine);
  void check_launcher() const;
  void start_workers();
  void check_simulated_workers() const;
  void find_node();
  void set_clock();
  void start_mover();
  void move_bytes_alone(const std::stop_token& stop);

  // The end of a run, step by step
  const std::vector<Status>& exchange_status();
  std::unique_ptr<Error> agree_on_error(const std::vector<Status>& all);
  void share(Poison& poison, int from);
  void settle_open_meetings();
  void complete_rounds(bool of_all);
  void settle_meetings();
  void end_rounds(bool drains_all);
  void watch_as_finished(Silence& silence);
  std::optional<std::string> judge();
  void close_watch();
  void drain(const Endpoints& emptied);
  void close();

  OverlapackComm control_ = -1;
  int rank_ = 0;
  int size_ = 1;
  int node_ = 0;
  int largest_tag_ = 0;
  std::size_t head_bytes_ = 0;
  std::size_t split_bytes_ = 0;
  std::size_t eager_bytes_ = 0;
  double start_s_ = 0;
  std::unique_ptr<Alarm> alarm_;
  std::unique_ptr<Watch> watch_;
  Endpoints endpoints_;           ///< in the order in which they were made
  std::vector<Status> statuses_;  ///< at the end of a run
  std::shared_ptr<MpiOperation> finished_;
  std::exception_ptr failure_;  ///< of a call that let bytes move, which nobody may have seen
  bool is_running_ = false;     ///< the rank's function: only then the mover calls MPI
  std::condition_variable_any run_begins_;
  std::jthread mover_;  ///< last: ends first
};

template <class IsOver>
void Engine::serve_until(IsOver is_over) {
  Patience patience(library);
  for (;;) {
    {
      const std::lock_guard lock(mutex);
      if (!transfers.can_block() && advance()) patience.reset();
      if (is_over()) return;
      if (transfers.can_block()) {
        transfers.block();
        continue;
      }
    }
    patience.rest();
  }
}

template <class Start>
void Engine::complete(Start start, const char* call) {
  bool is_done = false;
  {
    const std::lock_guard lock(mutex);
    transfers.start(
        call, [&](const OverlapackCompletion&) { is_done = true; }, start);
  }
  serve_until([&] { return is_done; });
}

template <class T>
std::vector<T> Engine::gather(OverlapackComm comm, int size, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(size));
  gather_into(comm, mine, all.data());
  return all;
}

template <class T>
void Engine::gather_into(OverlapackComm comm, const T& mine, T* all) {
  complete([&](OverlapackRequest* r) { return table().allgather(comm, &mine, sizeof mine, all, r); },
           "MPI_Iallgather");
}

}  // namespace overlapack::comm::mpi
