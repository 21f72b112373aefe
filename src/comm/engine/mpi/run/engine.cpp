#include "comm/engine/mpi/run/engine.hpp"

#include "comm/failure.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

namespace overlapack::comm::mpi {

namespace {

constexpr std::size_t largest_part = std::size_t{1} << 30;  // MPI counts are int

double steady_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

OverlapackWork for_table(const Work& work) {
  return {work.kind.data(),
          static_cast<std::int64_t>(work.kind.size()),
          work.flops,
          work.bytes,
          work.m,
          work.n,
          work.k};
}

[[noreturn]] void refuse(const std::string& message) { throw Error(Status::bad_plan, message); }

MpiLibrary& start_library(const TeamOptions& options) {
#ifndef OVERLAPACK_SMPI
  if (!options.has_communicator() && find_launcher().family == Launcher::Family::none)
    refuse(
        "the engine \"mpi\" was asked for, but no MPI launcher started this process; start it with mpirun or "
        "srun, "
        "or use the engine \"thread\"");
#endif
  return MpiLibrary::start(options);
}

}  // namespace

Engine::Engine(const TeamOptions& given)
    : options(given), library(start_library(given)), transfers(library.transfers()), mutex(library.mutex) {
  const MpiLibrary::Access access(library);
  const std::lock_guard lock(mutex);
  if (transfers.is_broken()) throw transfers.breakdown();
  split_bytes_ = std::min(options.split_bytes, largest_part);
  head_bytes_ = std::min(options.head_bytes, split_bytes_);
  eager_bytes_ = options.eager_bytes;
  read_simulation_settings();
  const std::optional<std::int32_t> handle = options.fortran_communicator;
  site_ =
      Site::find_or_make(library, {options.mpi_communicator, handle ? &*handle : nullptr}, options.opening_s);
  open_team();
}

/// Use the simulated machine's protocol limits where the team's options are the defaults.
void Engine::read_simulation_settings() {
  const OverlapackSimulation& asked = library.simulation();
  if (asked.eager_bytes >= 0 && options.eager_bytes == TeamOptions{}.eager_bytes)
    eager_bytes_ = static_cast<std::size_t>(asked.eager_bytes);
  // messages beyond the short protocol are handed over by reference, so larger heads are not needed
  constexpr std::size_t least = 4096;
  if (asked.head_bytes > 0)
    head_bytes_ =
        std::min({static_cast<std::size_t>(asked.head_bytes), split_bytes_, std::max(eager_bytes_, least)});
}

void Engine::charge(const Work& work) const {
  if (!library.is_simulated()) return;
  const OverlapackWork told = for_table(work);
  table().compute(&told);
}

void Engine::start_helper(const Work& work, std::int64_t times) const {
  const OverlapackWork told = for_table(work);
  table().start_helper(&told, times);
}

/// Collective: if one rank refuses, all do, as they would wait for it later.
/// The clock starts when the team opens: on one node at rank 0's time (one clock for all), else when each rank leaves the gather.
void Engine::open_team() {
  const std::optional<Error> mine = refusal_here();
  static_assert(sizeof(RunEnd) == sizeof(Offer));
  const Offer offer{.team = no_team,
                    .refuses = mine.has_value(),
                    .is_watched = is_watched(),
                    .head_bytes = static_cast<std::uint32_t>(head_bytes_),
                    .split_bytes = static_cast<std::uint32_t>(split_bytes_),
                    .eager_bytes = eager_bytes_,
                    .fingerprint = options.fingerprint,
                    .given_up = site_->teams_given_up(),
                    .clock_s = steady_s()};
  site_->departures().begin_call();
  const std::span<const Offer> all = site_->start_gather(offer);
  transfers.make_progress_until({"the other ranks to open the team", options.opening_s},
                                [&] { return site_->has_gathered(); });
  site_->departures().end_call();
  require_same_call({reinterpret_cast<const RunEnd*>(all.data()), all.size()});
  start_s_ = site_->is_on_one_node() ? all.front().clock_s : steady_s();
  std::uint64_t given_up = ~std::uint64_t{0};
  for (const Offer& o : all) given_up &= o.given_up;
  site_->free_given_up_teams(given_up);
  if (const std::optional<Error> refusal = refusal_of_all(all, mine)) throw *refusal;
  site_->add_team(team_);
  world()->open_world();
}

/// Do all that can fail on a single rank; returns its error, if any.
std::optional<Error> Engine::refusal_here() {
  try {
    if (options.refusal) throw *options.refusal;
    if (options.split_bytes == 0)
      refuse("split_bytes is 0; give the largest number of bytes of one transfer");
    check_launcher();
    start_workers();
    if (options.progress_thread) start_progress_thread();
    if (is_watched()) site_->watch().prepare();
    site_->prepare();
    endpoints_->push_back(std::make_shared<Endpoint>(*this, site_->size()));
    constexpr int of_a_run = 8;  // alarm, watch, agreements
    transfers.reserve(of_a_run);
  } catch (...) {
    return error_of(std::current_exception());
  }
  return std::nullopt;
}

/// The refusal of the lowest rank that has one, the same on all ranks; else an error if their options differ.
std::optional<Error> Engine::refusal_of_all(std::span<const Offer> all, const std::optional<Error>& mine) {
  const auto first = std::ranges::find_if(all, [](const Offer& o) { return o.refuses != 0; });
  if (first != all.end()) {
    Poison poison = mine ? Poison(*mine, 0) : Poison{};
    share(poison, static_cast<int>(first - all.begin()), {"the rank that refuses", options.opening_s});
    return poison.error();
  }
  if (!std::ranges::all_of(all, [&](const Offer& o) { return o.fits(all.front()); }))
    return Error(
        Status::bad_plan,
        "the ranks were opened with different head_bytes, split_bytes or eager_bytes, or some with a "
        "watchdog; give the same to all ranks");
  if (std::ranges::all_of(all, [&](const Offer& o) { return o.fingerprint == all.front().fingerprint; }))
    return std::nullopt;
  return describe_unlike_offer(all);
}

/// Error that quotes the options of rank 0 and of the first rank that differs from it.
Error Engine::describe_unlike_offer(std::span<const Offer> all) {
  const auto other =
      std::ranges::find_if(all, [&](const Offer& o) { return o.fingerprint != all.front().fingerprint; });
  const int rank = static_cast<int>(other - all.begin());
  const Wait wait{"what the ranks were called with", options.opening_s};
  Poison zeros(Error(Status::bad_plan, options.called_with), 0), others = zeros;
  share(zeros, 0, wait);
  share(others, rank, wait);
  return Error(Status::bad_plan, "the ranks were called with different options: rank 0 with " +
                                     std::string(zeros.text) + ", rank " + std::to_string(rank) + " with " +
                                     std::string(others.text) + "; give the same to all ranks");
}

/// Broadcast `poison` from rank `from`.
void Engine::share(Poison& poison, int from, const Wait& wait) {
  transfers.complete(
      wait,
      [&](OverlapackRequest* r) {
        return table().broadcast(site_->agreements(), &poison, sizeof poison, from, r);
      },
      "MPI_Ibcast");
}

/// Refuse to run as N separate teams of one rank: an MPI that does not fit the launcher sees one rank in each process.
void Engine::check_launcher() const {
  library.check_threads(options);
  const Launcher launcher = find_launcher();
  const int size = site_->size();
  const bool is_known = !options.has_communicator() && !library.is_simulated();
  const std::string mpi = library.loaded().flavour + " (" + library.loaded().library + ") sees " +
                          std::to_string(size) +
                          "; start the program with the mpirun of this MPI, or use the engine \"thread\"";
  if (is_known && launcher.size > 0 && launcher.size != size)
    refuse("the launcher started " + std::to_string(launcher.size) + " processes (" + launcher.variable +
           "), but " + mpi);
  if (is_known && launcher.family != Launcher::Family::none && launcher.size == 0 && size == 1 &&
      (launcher.rank > 0 || !library.supports_pmix()))
    refuse("the launcher gave this process the rank " + std::to_string(launcher.rank) + " (" +
           launcher.variable + ") and no number of processes, and " + mpi);
  if (options.ranks != 0 && options.ranks != size)
    refuse(std::to_string(options.ranks) + " ranks were asked for, but MPI has " + std::to_string(size) +
           "; ask for 0, which means all, or start as many processes");
}

void Engine::start_workers() {
  if (options.workers < 0) refuse("the number of workers cannot be negative");
  if (options.workers == 0) return;
  if (library.is_simulated()) return check_simulated_workers();
  workers = std::make_unique<Workers>(options.workers);
}

/// Simulated workers: the rank runs their slices itself and charges the time to other processors of its node.
void Engine::check_simulated_workers() const {
  const int threads = library.simulation().threads_of_rank;
  if (options.workers < threads) return;
  refuse("a rank with " + std::to_string(options.workers) + " workers needs " +
         std::to_string(options.workers + 1) + " processors, and a node of this simulated machine has " +
         std::to_string(threads) + " for each of its ranks; give fewer workers, or fewer --ranks-per-node");
}

double Engine::now() const { return library.is_simulated() ? table().clock() : steady_s() - start_s_; }

std::shared_ptr<Endpoint> Engine::prepare_part(int most_ranks) {
  const std::lock_guard lock(mutex);
  auto part = std::make_shared<Endpoint>(*this, most_ranks);
  endpoints_->reserve(endpoints_->size() + 1);
  team_->parts.reserve(team_->parts.size() + 1);
  constexpr int with_the_meeting = 2;  // requests: the meeting and one of the opening
  transfers.reserve(with_the_meeting, 1);
  return part;
}

void Engine::add_part(const std::shared_ptr<Endpoint>& prepared, OverlapackComm comm) {
  team_->parts.push_back(comm);
  endpoints_->push_back(prepared);
  prepared->open_part(comm);
}

bool Engine::advance() {
  const std::lock_guard lock(mutex);
  looks_ = 0;
  try {
    return transfers.advance();
  } catch (const std::exception&) {
    failure_ = std::current_exception();
    throw;
  }
}

void Engine::start_progress_thread() {
  try {
    mover_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) run_progress_thread(stop);
    });
  } catch (const std::system_error&) {
    throw Error(Status::out_of_memory,
                "the system refused a thread for progress; set progress_by to poll, or raise the limit of "
                "processes");
  }
}

/// One step of the progress thread, which waits between runs: then the program may call MPI itself, or finalise it.
void Engine::run_progress_thread(const std::stop_token& stop) {
  constexpr auto pause = std::chrono::microseconds(20);
  bool has_moved = false;
  {
    std::unique_lock lock(mutex);
    if (!run_begins_.wait(lock, stop, [this] { return is_running_; })) return;
    try {
      has_moved = advance();
    } catch (
        const std::exception&) {  // stored in failure_: the rank's next publish_and_check_abort() throws it
    }
  }
  if (!has_moved) std::this_thread::sleep_for(pause);
}

void Engine::publish() {
  while (finished_) {
    finished_->done = true;
    finished_ = std::move(finished_->next_finished);
  }
}

void Engine::publish_and_check_abort() {
  constexpr int most_looks = 32;
  if (!transfers.can_block() && ++looks_ >= most_looks) advance();
  publish();
  if (is_aborted()) {
    complete_accesses();
    throw site_->alarm().first_error().error();
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// Not simulated: there puts have copied already, and gets that are never flushed write nothing.
void Engine::complete_accesses() {
  if (library.is_simulated()) return;
  for (const auto& e : *endpoints_) e->complete_accesses();
}

void Engine::abort(const Error& error) noexcept {
  const std::lock_guard lock(mutex);
  Poison poison(error, now());
  poison.is_last = transfers.is_broken();
  poison.may_finalise = transfers.may_finalise();
  site_->alarm().abort_all_ranks(poison);
}

/// Calls no MPI function, so it may run on any thread at any time.
Engine::~Engine() {
  mover_ = {};
  if (transfers.is_broken()) static_cast<void>(endpoints_.release());  // MPI may still write there
  team_->is_given_up.store(true, std::memory_order_release);
}

}  // namespace overlapack::comm::mpi
