#include "comm/engine/thread/team_threads.hpp"

#include "base/processors.hpp"
#include "comm/busy_threads.hpp"
#include "comm/engine/spin.hpp"
#include "comm/engine/thread/thread_rank.hpp"
#include "comm/failure.hpp"
#include "overlapack/quiet_floats.hpp"

#include <algorithm>
#include <new>
#include <pthread.h>
#include <system_error>

namespace overlapack::comm::thread {

namespace {

thread_local const RunningTeams* running_teams = nullptr;

/// Name the thread for debuggers and `top -H`.
void name_thread(std::size_t index) {
  pthread_setname_np(pthread_self(), ("overlapack " + std::to_string(index % 10000)).c_str());
}

}  // namespace

TeamThreads::TeamThreads(const TeamOptions& given)
    : options(given), is_crowded(given.ranks + given.workers > count_usable_processors()), jobs(!is_crowded) {
  const int ranks = options.ranks;
  if (ranks < 1)
    throw Error(Status::bad_plan, "the thread engine needs at least one rank, not " + std::to_string(ranks));
  if (options.workers < 0) throw Error(Status::bad_plan, "the number of workers cannot be negative");
  for (int i = 0; i < ranks + options.workers; ++i) members_.push_back(std::make_unique<Member>());
  std::vector<ThreadMailbox*> ranks_mailboxes;
  for (int i = 0; i < ranks; ++i) ranks_mailboxes.push_back(&members_[static_cast<std::size_t>(i)]->mailbox);
  team_ = std::make_shared<Group>(std::move(ranks_mailboxes));
  add(team_);
  for (int i = 0; i < ranks; ++i)
    members_[static_cast<std::size_t>(i)]->rank = std::make_unique<ThreadRank>(*this, team_, i);
  start_threads();
}

TeamThreads::~TeamThreads() { stop_threads(); }

void TeamThreads::start_threads() {
  try {
    for (std::size_t i = 1; i < members_.size(); ++i)
      members_[i]->thread = std::thread([this, i] { run_thread(i); });
  } catch (const std::bad_alloc&) {
    stop_threads();
    throw;
  } catch (const std::system_error&) {
    stop_threads();
    throw Error(Status::out_of_memory,
                "the system refused to start " + std::to_string(size()) + " threads; use fewer ranks");
  }
}

void TeamThreads::stop_threads() noexcept {
  is_stopping_.store(true, std::memory_order_release);
  for (auto& member : members_) member->mailbox.wake();
  for (auto& member : members_)
    if (member->thread.joinable()) member->thread.join();
}

/// Main loop of a thread: it is parked until the next run, then runs its rank, until the team stops.
void TeamThreads::run_thread(std::size_t index) {
  name_thread(index);
  Member& member = *members_[index];
  std::uint64_t seen = 0;
  for (;;) {
    {
      const QuietFloats quiet;
      idle_until(member.mailbox, [&] {
        return is_stopping_.load(std::memory_order_acquire) ||
               (member.rank && generation_.load(std::memory_order_acquire) != seen);
      });
    }
    if (is_stopping_.load(std::memory_order_acquire)) return;
    ++seen;
    wake_below(index);
    std::fesetenv(&floats_);
    run_rank(member);
  }
}

/// Wake the threads of the two members below this one in a binary tree. If rank 0 alone woke all, it would need 10 to 25 us for each.
void TeamThreads::wake_below(std::size_t member) {
  for (std::size_t below = 2 * member + 1; below <= 2 * member + 2; ++below)
    if (below < static_cast<std::size_t>(team_->size())) members_[below]->mailbox.wake();
}

/// Sleep until is_over(), running slices of working ranks meanwhile.
void TeamThreads::idle_until(ThreadMailbox& mailbox, FunctionRef<bool()> is_over) {
  for (;;) {
    const std::uint64_t seen = mailbox.epoch(), published = jobs.published();
    if (is_over()) return;
    const auto has_news = [&] { return mailbox.epoch() != seen || jobs.published() != published; };
    const std::int64_t done = jobs.run_published_parts([&] { return mailbox.epoch() == seen; });
    if (done == 0) {
      if (is_crowded || !spin_until(has_news)) mailbox.sleep(Clock::time_point::max(), has_news);
      continue;
    }
    const std::lock_guard lock(mailbox.mutex);
    mailbox.counters.slices_for_others += done;
  }
}

void TeamThreads::run_rank(Member& member) noexcept {
  const RunningTeams* const outer = std::exchange(running_teams, &running_teams_);
  try {
    (*fn_)(*member.rank);
  } catch (...) {
    abort(error_of(std::current_exception()));
  }
  running_teams = outer;
  member.is_running.store(false, std::memory_order_release);
  if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) members_[0]->mailbox.wake();
}

void TeamThreads::run(const std::function<void(Rank&)>& fn) {
  for (const RunningTeams* running = running_teams; running; running = running->outer)
    if (running->team == this)
      throw Error(Status::bad_plan, "a team cannot be run from inside its own run; open a second team");
  const std::lock_guard one_run(run_mutex_);
  running_teams_ = {this, running_teams};
  const BusyThreads busy(size());
  fn_ = &fn;
  std::fegetenv(&floats_);
  running_.store(team_->size(), std::memory_order_relaxed);
  for (int i = 0; i < team_->size(); ++i)
    members_[static_cast<std::size_t>(i)]->is_running.store(true, std::memory_order_relaxed);
  generation_.fetch_add(1, std::memory_order_release);
  wake_below(0);
  run_rank(*members_[0]);
  idle_until(members_[0]->mailbox, [&] { return running_.load(std::memory_order_acquire) == 0; });
  if (!is_aborted_.load(std::memory_order_acquire)) return;
  const Error first = std::move(*first_error_);
  forget_messages();
  first_error_.reset();
  is_aborted_.store(false, std::memory_order_release);
  throw first;
}

void TeamThreads::add(const std::shared_ptr<Group>& group) {
  const std::lock_guard lock(groups_mutex_);
  std::erase_if(groups_, [](const auto& g) { return g.expired(); });
  groups_.push_back(group);
}

void TeamThreads::wake_one() {
  for (auto& member : members_)
    if (member->mailbox.wake_sleeper()) return;
}

void TeamThreads::abort(const Error& error) noexcept {
  {
    const std::lock_guard lock(error_mutex_);
    if (first_error_) return;
    first_error_ = error;
  }
  is_aborted_.store(true, std::memory_order_release);
  for (auto& member : members_) member->mailbox.wake();
}

void TeamThreads::throw_first_error() const {
  const std::lock_guard lock(error_mutex_);
  throw *first_error_;
}

void TeamThreads::reset() {
  forget_messages();
  for (auto& member : members_) {
    const std::lock_guard lock(member->mailbox.mutex);
    member->mailbox.counters = {};
  }
}

/// Drop all messages under way, once all ranks have left the run. Allocates nothing.
void TeamThreads::forget_messages() {
  const std::lock_guard lock(groups_mutex_);
  for (const auto& weak : groups_)
    if (const auto group = weak.lock()) group->drop_messages();
  for (auto& member : members_) member->mailbox.drop_messages();
}

Clock::time_point TeamThreads::next_watch() const {
  if (options.watchdog_s <= 0) return Clock::time_point::max();
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.watchdog_s / 4));
}

/// Abort if every unfinished rank waits and none of them has been woken for watchdog_s. A rank that computes prevents it.
void TeamThreads::watch() {
  const std::lock_guard watching(watch_mutex_);
  Clock::time_point last{};
  for (int i = 0; i < team_->size(); ++i) {
    if (!members_[static_cast<std::size_t>(i)]->is_running.load(std::memory_order_acquire)) continue;
    ThreadMailbox& mailbox = team_->mailbox(i);
    const std::lock_guard lock(mailbox.mutex);
    if (mailbox.waits_for.empty()) return;
    last = std::max(last, mailbox.quiet_since);
  }
  const double silence_s = std::chrono::duration<double>(Clock::now() - last).count();
  if (silence_s < options.watchdog_s) return;
  abort(Error(Status::comm_failure, silence_report(silence_s)));
}

std::string TeamThreads::silence_report(double silence_s) {
  std::string report = "nothing has happened for " + std::to_string(silence_s) + " s:";
  for (int i = 0; i < team_->size(); ++i) {
    ThreadMailbox& mailbox = team_->mailbox(i);
    const std::lock_guard lock(mailbox.mutex);
    const bool is_running = members_[static_cast<std::size_t>(i)]->is_running.load(std::memory_order_acquire);
    report += (i ? "; rank " : " rank ") + std::to_string(i) +
              (is_running ? " waits for " + mailbox.waits_for : " has finished");
  }
  return report;
}

}  // namespace overlapack::comm::thread
