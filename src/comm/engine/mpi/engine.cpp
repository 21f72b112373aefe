#include "comm/engine/mpi/engine.hpp"

#include "comm/failure.hpp"

#include <algorithm>
#include <chrono>
#include <set>
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

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::bad_plan, "mpi", message); }

Library& start_library(const TeamOptions& options) {
#ifndef OVERLAPACK_SMPI
  if (!options.has_communicator() && find_launcher().family == Launcher::Family::none)
    refuse(
        "the engine \"mpi\" was asked for, but no MPI launcher started this process; start it with mpirun or "
        "srun, "
        "or use the engine \"thread\"");
#endif
  return Library::start(options);
}

}  // namespace

void Patience::rest(double longest_s, bool may_nap) {
  constexpr int rounds_awake = 100, rounds_yielding = 4000;
  constexpr auto nap = std::chrono::microseconds(50);
  constexpr double shortest_s = 1e-6, share = 1.0 / 16;
  if (library_.is_simulated()) {
    const double rest_s = std::max(shortest_s, std::min(share * waited_s_, longest_s));
    waited_s_ += rest_s;
    return library_.table().idle(rest_s);
  }
  if (++rounds_ < rounds_awake) return;
  if (!may_nap || rounds_ < rounds_yielding)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(nap);
}

Engine::Engine(const TeamOptions& given)
    : options(given), library(start_library(given)), transfers(library.transfers()), mutex(library.mutex) {
  const Library::Turn turn(library);
  const std::lock_guard lock(mutex);
  split_bytes_ = std::min(options.split_bytes, largest_part);
  head_bytes_ = std::min(options.head_bytes, split_bytes_);
  eager_bytes_ = options.eager_bytes;
  take_simulation();
  check(options.fortran_communicator
            ? table().duplicate_fortran_comm(*options.fortran_communicator, &control_)
            : table().duplicate_user_comm(options.mpi_communicator, &control_),
        "MPI_Comm_dup");
  check(table().rank_and_size(control_, &rank_, &size_), "MPI_Comm_rank");
  check(table().largest_tag(&largest_tag_), "MPI_Comm_get_attr");
  agree_to_open();
  find_node();
  set_clock();
  OverlapackComm world = -1;
  check(table().duplicate(control_, &world), "MPI_Comm_dup");
  add_endpoint(prepare_endpoint(size_), world);
  shared_world()->is_used = true;
  statuses_.resize(static_cast<std::size_t>(size_));
  alarm_ = std::make_unique<Alarm>(library, transfers, control_, rank_, size_);
  watch_ = std::make_unique<Watch>(library, transfers, control_, rank_, size_, options.watchdog_s);
}

/// What the simulated machine says, where the team says nothing else.
void Engine::take_simulation() {
  const OverlapackSimulation& asked = library.simulation();
  if (asked.eager_bytes >= 0 && options.eager_bytes == TeamOptions{}.eager_bytes)
    eager_bytes_ = static_cast<std::size_t>(asked.eager_bytes);
  // longer ones than those of the short protocol are handed over as they are
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

/// Collective: what one rank refuses all refuse, or they would wait for it in what follows.
void Engine::agree_to_open() {
  const std::optional<Error> mine = refusal_here();
  const std::optional<Error> refusal = refusal_of_all(mine);
  if (!refusal) return;
  check(table().free_comm(control_), "MPI_Comm_free");
  throw *refusal;
}

/// All that can fail on one rank alone.
std::optional<Error> Engine::refusal_here() {
  try {
    if (options.split_bytes == 0)
      refuse("split_bytes is 0; give the largest number of bytes of one transfer");
    check_launcher();
    start_workers();
    if (options.progress_thread) start_mover();
  } catch (...) {
    return thrown_error();
  }
  return std::nullopt;
}

/// That of the lowest rank. Ranks with other protocols could not read each other's messages.
std::optional<Error> Engine::refusal_of_all(const std::optional<Error>& mine) {
  const Offer offer{mine.has_value(), head_bytes_, split_bytes_, eager_bytes_, options.watchdog_s > 0};
  const std::vector<Offer> all = gather(control_, size_, offer);
  const auto first = std::ranges::find_if(all, [](const Offer& o) { return o.refuses != 0; });
  if (first != all.end()) {
    Poison poison = mine ? Poison(*mine, rank_, 0) : Poison{};
    share(poison, static_cast<int>(first - all.begin()));
    return poison.error();
  }
  if (std::ranges::all_of(all, [&](const Offer& o) { return o == offer; })) return std::nullopt;
  return Error(ErrorKind::bad_plan, "mpi",
               "the ranks were opened with different head_bytes, split_bytes or eager_bytes, or some with a "
               "watchdog; give all the same");
}

/// Never N silent singletons: an MPI that is not the launcher's own sees one rank in each process.
void Engine::check_launcher() const {
  library.check_threads(options);
  const Launcher launcher = find_launcher();
  const bool is_told = !options.has_communicator() && !library.is_simulated();
  const std::string mpi = library.loaded().flavour + " (" + library.loaded().library + ") sees " +
                          std::to_string(size_) +
                          "; start the program with the mpirun of this MPI, or use the engine \"thread\"";
  if (is_told && launcher.size > 0 && launcher.size != size_)
    refuse("the launcher started " + std::to_string(launcher.size) + " processes (" + launcher.variable +
           "), but " + mpi);
  if (is_told && launcher.family != Launcher::Family::none && launcher.size == 0 && size_ == 1 &&
      (launcher.rank > 0 || !library.hears_pmix()))
    refuse("the launcher gave this process the rank " + std::to_string(launcher.rank) + " (" +
           launcher.variable + ") and no number of processes, and " + mpi);
  if (options.ranks != 0 && options.ranks != size_)
    refuse(std::to_string(options.ranks) + " ranks were asked for, but MPI has " + std::to_string(size_) +
           "; ask for 0, which means all, or start as many processes");
}

void Engine::start_workers() {
  if (options.workers < 0) refuse("the number of workers cannot be negative");
  if (options.workers == 0) return;
  if (library.is_simulated()) return check_simulated_workers();
  workers = std::make_unique<Workers>(options.workers);
}

/// Their slices are run by the rank itself, and charged to other processors of its node.
void Engine::check_simulated_workers() const {
  const int threads = library.simulation().threads_of_rank;
  if (options.workers < threads) return;
  refuse("a rank with " + std::to_string(options.workers) + " workers needs " +
         std::to_string(options.workers + 1) + " processors, and a node of this simulated machine has " +
         std::to_string(threads) + " for each of its ranks; give fewer workers, or fewer --ranks-per-node");
}

/// Nodes are numbered by their lowest rank.
void Engine::find_node() {
  OverlapackComm here = -1;
  int rank_here = 0, size_here = 1;
  check(table().split_node(control_, &here), "MPI_Comm_split_type");
  check(table().rank_and_size(here, &rank_here, &size_here), "MPI_Comm_rank");
  const int lowest = gather(here, size_here, rank_).front();
  check(table().free_comm(here), "MPI_Comm_free");
  const std::vector<int> all = gather(control_, size_, lowest);
  const std::set<int> nodes(all.begin(), all.end());
  node_ = static_cast<int>(std::distance(nodes.begin(), nodes.find(lowest)));
}

/// Zero is when the team opens: on one node at rank 0's clock, which all share, else where all come out of a barrier.
void Engine::set_clock() {
  if (library.is_simulated()) return;
  complete([&](OverlapackRequest* r) { return table().barrier(control_, r); }, "MPI_Ibarrier");
  const std::vector<double> clocks = gather(control_, size_, steady_s());
  const std::vector<int> nodes = gather(control_, size_, node_);
  const bool is_one_node = std::all_of(nodes.begin(), nodes.end(), [](int node) { return node == 0; });
  start_s_ = clocks[is_one_node ? 0 : static_cast<std::size_t>(rank_)];
}

double Engine::now() const { return library.is_simulated() ? table().clock() : steady_s() - start_s_; }

std::shared_ptr<Endpoint> Engine::prepare_endpoint(int most_ranks) {
  const std::lock_guard lock(mutex);
  auto endpoint = std::make_shared<Endpoint>(*this, most_ranks);
  endpoints_.reserve(endpoints_.size() + 1);
  constexpr int with_the_meeting = 2;  // requests at a time
  transfers.reserve(with_the_meeting, 1 + Endpoint::communicators);
  return endpoint;
}

void Engine::add_endpoint(const std::shared_ptr<Endpoint>& prepared, OverlapackComm comm) {
  prepared->open(comm);
  endpoints_.push_back(prepared);
}

bool Engine::advance() {
  const std::lock_guard lock(mutex);
  try {
    return transfers.advance();
  } catch (const std::exception&) {
    failure_ = std::current_exception();
    throw;
  }
}

void Engine::start_mover() {
  try {
    mover_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) move_bytes_alone(stop);
    });
  } catch (const std::system_error&) {
    throw Error(ErrorKind::out_of_memory, "mpi",
                "the system refused a thread for progress; set progress_by to poll, or raise the limit of "
                "processes");
  }
}

/// Between runs the program may call MPI itself, or end it: nobody else may be in MPI then.
void Engine::move_bytes_alone(const std::stop_token& stop) {
  constexpr auto pause = std::chrono::microseconds(20);
  bool has_moved = false;
  {
    std::unique_lock lock(mutex);
    if (!run_begins_.wait(lock, stop, [this] { return is_running_; })) return;
    try {
      has_moved = advance();
    } catch (const std::exception&) {  // the rank's next look throws it
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

void Engine::look() {
  publish();
  if (alarm_->is_raised()) {
    complete_accesses();
    throw alarm_->first().error();
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// Simulated, puts are done by now, and gets that are never flushed write nothing.
void Engine::complete_accesses() {
  if (library.is_simulated()) return;
  for (const auto& e : endpoints_) e->complete_accesses();
}

void Engine::abort(const Error& error) noexcept {
  const std::lock_guard lock(mutex);
  alarm_->raise(Poison(error, rank_, now()));
}

}  // namespace overlapack::comm::mpi
