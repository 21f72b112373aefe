#include "comm/engine/thread/crew.hpp"

#include "base/processors.hpp"
#include "comm/engine/thread/thread_rank.hpp"
#include "comm/failure.hpp"
#include "overlapack/quiet_floats.hpp"

#include <algorithm>
#include <new>
#include <system_error>

namespace overlapack::comm::thread {

namespace {

thread_local const Crew* running_crew = nullptr;

}  // namespace

Crew::Crew(const TeamOptions& given) : options(given) {
  const int ranks = options.ranks;
  if (ranks < 1)
    throw Error(Status::bad_plan, "the thread engine needs at least one rank, not " + std::to_string(ranks));
  if (options.workers < 0) throw Error(Status::bad_plan, "the number of workers cannot be negative");
  is_crowded_ = ranks + options.workers > count_usable_processors();
  for (int i = 0; i < ranks + options.workers; ++i) seats_.push_back(std::make_unique<Place>());
  std::vector<Seat*> ranks_seats;
  for (int i = 0; i < ranks; ++i) ranks_seats.push_back(&seats_[static_cast<std::size_t>(i)]->seat);
  team_ = std::make_shared<Group>(std::move(ranks_seats));
  add(team_);
  for (int i = 0; i < ranks; ++i)
    seats_[static_cast<std::size_t>(i)]->rank = std::make_unique<ThreadRank>(*this, team_, i);
  start_threads();
}

Crew::~Crew() { stop_threads(); }

void Crew::start_threads() {
  try {
    for (std::size_t i = 1; i < seats_.size(); ++i)
      seats_[i]->thread = std::thread([this, place = seats_[i].get()] { serve(*place); });
  } catch (const std::bad_alloc&) {
    stop_threads();
    throw;
  } catch (const std::system_error&) {
    stop_threads();
    throw Error(Status::out_of_memory,
                "the system refused to start " + std::to_string(threads()) + " threads; use fewer ranks");
  }
}

void Crew::stop_threads() noexcept {
  is_stopping_.store(true, std::memory_order_release);
  for (auto& place : seats_) place->seat.wake();
  for (auto& place : seats_)
    if (place->thread.joinable()) place->thread.join();
}

/// The life of a thread: parked, or at work for one run.
void Crew::serve(Place& place) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      const QuietFloats quiet;
      idle_until(place.seat, [&] {
        return is_stopping_.load(std::memory_order_acquire) ||
               (place.rank && generation_.load(std::memory_order_acquire) != seen);
      });
    }
    if (is_stopping_.load(std::memory_order_acquire)) return;
    ++seen;
    std::fesetenv(&floats_);
    work(place);
  }
}

/// Sleep, but take slices of those who work.
void Crew::idle_until(Seat& seat, FunctionRef<bool()> is_over) {
  for (;;) {
    const std::uint64_t seen = seat.epoch(), published = jobs.published();
    if (is_over()) return;
    const std::int64_t done = jobs.help([&] { return seat.epoch() == seen; });
    if (done == 0) {
      seat.sleep(seen, Clock::time_point::max(), [&] { return jobs.published() != published; });
      continue;
    }
    const std::lock_guard lock(seat.mutex);
    seat.counters.slices_for_others += done;
  }
}

void Crew::work(Place& place) noexcept {
  const Crew* const outer = std::exchange(running_crew, this);
  try {
    (*fn_)(*place.rank);
  } catch (...) {
    abort(error_of(std::current_exception()));
  }
  running_crew = outer;
  place.is_running.store(false, std::memory_order_release);
  if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) seats_[0]->seat.wake();
}

void Crew::run(const std::function<void(Rank&)>& fn) {
  if (running_crew == this)
    throw Error(Status::bad_plan, "a team cannot be run from inside its own run; open a second team");
  const std::lock_guard one_run(run_mutex_);
  fn_ = &fn;
  std::fegetenv(&floats_);
  running_.store(team_->size(), std::memory_order_relaxed);
  for (int i = 0; i < team_->size(); ++i)
    seats_[static_cast<std::size_t>(i)]->is_running.store(true, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  for (int i = 1; i < team_->size(); ++i) team_->seat(i).wake();
  work(*seats_[0]);
  idle_until(seats_[0]->seat, [&] { return running_.load(std::memory_order_acquire) == 0; });
  if (!is_aborted_.load(std::memory_order_acquire)) return;
  const Error first = std::move(*first_error_);
  forget_messages();
  first_error_.reset();
  is_aborted_.store(false, std::memory_order_release);
  throw first;
}

void Crew::add(const std::shared_ptr<Group>& group) {
  const std::lock_guard lock(groups_mutex_);
  std::erase_if(groups_, [](const auto& g) { return g.expired(); });
  groups_.push_back(group);
}

void Crew::wake_idle(std::size_t most) {
  for (auto& place : seats_) {
    if (most == 0) return;
    if (!place->seat.is_asleep()) continue;
    place->seat.wake();
    --most;
  }
}

void Crew::abort(const Error& error) noexcept {
  {
    const std::lock_guard lock(error_mutex_);
    if (first_error_) return;
    first_error_ = error;
  }
  is_aborted_.store(true, std::memory_order_release);
  for (auto& place : seats_) place->seat.wake();
}

void Crew::throw_first_error() const {
  const std::lock_guard lock(error_mutex_);
  throw *first_error_;
}

void Crew::rest() {
  forget_messages();
  for (auto& place : seats_) {
    const std::lock_guard lock(place->seat.mutex);
    place->seat.counters = {};
  }
}

/// All ranks have left the run: drop what was under way, so that the next run starts clean.
void Crew::forget_messages() {
  std::vector<std::weak_ptr<Group>> groups;
  {
    const std::lock_guard lock(groups_mutex_);
    groups = groups_;
  }
  for (const auto& weak : groups)
    if (const auto group = weak.lock()) group->forget();
  for (auto& place : seats_) place->seat.forget();
}

Clock::time_point Crew::next_watch() const {
  if (options.watchdog_s <= 0) return Clock::time_point::max();
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.watchdog_s / 4));
}

/// Silence: every rank that has not finished waits, and nothing has happened to any of them for watchdog_s. A
/// rank that computes is not silent.
void Crew::watch() {
  const std::lock_guard watching(watch_mutex_);
  Clock::time_point last{};
  for (int i = 0; i < team_->size(); ++i) {
    if (!seats_[static_cast<std::size_t>(i)]->is_running.load(std::memory_order_acquire)) continue;
    Seat& seat = team_->seat(i);
    const std::lock_guard lock(seat.mutex);
    if (seat.waits_for.empty()) return;
    last = std::max(last, seat.quiet_since);
  }
  const double silence_s = std::chrono::duration<double>(Clock::now() - last).count();
  if (silence_s < options.watchdog_s) return;
  abort(Error(Status::comm_failure, silence_report(silence_s)));
}

std::string Crew::silence_report(double silence_s) {
  std::string report = "nothing has happened for " + std::to_string(silence_s) + " s:";
  for (int i = 0; i < team_->size(); ++i) {
    Seat& seat = team_->seat(i);
    const std::lock_guard lock(seat.mutex);
    const bool is_running = seats_[static_cast<std::size_t>(i)]->is_running.load(std::memory_order_acquire);
    report += (i ? "; rank " : " rank ") + std::to_string(i) +
              (is_running ? " waits for " + seat.waits_for : " has finished");
  }
  return report;
}

}  // namespace overlapack::comm::thread
