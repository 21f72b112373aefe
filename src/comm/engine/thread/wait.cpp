#include "comm/engine/spin.hpp"
#include "comm/engine/thread/thread_rank.hpp"

#include <algorithm>

namespace overlapack::comm::thread {

Woken ThreadRank::wait_any(std::span<Request* const> requests, LaneSet probes) {
  Woken woken;
  const auto is_over = [&] {
    bool can_end = !probes.empty();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (!requests[i] || !*requests[i]) continue;
      can_end = true;
      if (requests[i]->pending()) static_cast<ThreadOperation&>(*requests[i]->operation()).refresh();
      if (requests[i]->pending()) continue;
      woken = {Woken::By::request, i, Lane::user};
      return true;
    }
    if (!can_end) throw Error(Status::internal, "a wait without requests or probes would never end");
    if (probes.empty()) return false;
    const std::lock_guard lock(mailbox_.mutex);
    for (int l = 0; l < lane_count; ++l) {
      const auto lane = static_cast<Lane>(l);
      if (!probes.has(lane) || port_.arrived_on(lane).empty()) continue;
      woken = {Woken::By::probe, 0, lane};
      return true;
    }
    return false;
  };
  block_until(is_over, [&] { return describe(requests, probes); });
  return woken;
}

void ThreadRank::block_until(FunctionRef<bool()> is_over, FunctionRef<std::string()> what) {
  const bool is_watched = threads_.options.watchdog_s > 0;
  const Clock::time_point began = is_watched ? Clock::now() : Clock::time_point{};
  Clock::time_point next_watch = threads_.next_watch();
  bool is_informed = false;  // whether waits_for is set for the watchdog
  for (bool over = false;;) {
    const std::uint64_t seen = mailbox_.epoch(), published = threads_.jobs.published();
    const auto has_news = [&] { return mailbox_.epoch() != seen || threads_.jobs.published() != published; };
    try {
      poll();
      over = is_over();
    } catch (...) {
      if (is_informed) inform_watchdog("", began);
      throw;
    }
    if (over) {
      if (is_informed) inform_watchdog("", began);
      return;
    }
    if (run_slices_of_others(seen) || (!threads_.is_crowded && spin_until(has_news))) continue;
    if (mailbox_.sleep(std::min(next_watch, next_hooks()), has_news)) {
      next_watch = threads_.next_watch();
      continue;
    }
    if (Clock::now() < next_watch) continue;
    if (!is_informed) inform_watchdog(what(), began);
    is_informed = true;
    threads_.watch();
    next_watch = threads_.next_watch();
  }
}

/// Time at which the hooks are to run again even if nothing happens here; some of them ask whether the caller cancels.
Clock::time_point ThreadRank::next_hooks() const {
  constexpr auto period = std::chrono::milliseconds(20);  // as Rank::on_progress promises
  return mailbox_.hooks.is_empty() ? Clock::time_point::max() : Clock::now() + period;
}

void ThreadRank::inform_watchdog(std::string waits_for, Clock::time_point since) {
  if (!waits_for.empty() && !mailbox_.phase.empty()) waits_for += " in phase " + std::string(mailbox_.phase);
  const std::lock_guard lock(mailbox_.mutex);
  mailbox_.waits_for = std::move(waits_for);
  mailbox_.quiet_since = std::max(mailbox_.quiet_since, since);
}

bool ThreadRank::run_slices_of_others(std::uint64_t seen) {
  const double begin = now();
  const Clock::time_point until = next_hooks();
  const std::int64_t done =
      threads_.jobs.run_published_parts([&] { return mailbox_.epoch() == seen && Clock::now() < until; });
  if (done == 0) return false;
  const std::lock_guard lock(mailbox_.mutex);
  mailbox_.counters.slices_for_others += done;
  mailbox_.counters.helping_s += now() - begin;
  return true;
}

}  // namespace overlapack::comm::thread
