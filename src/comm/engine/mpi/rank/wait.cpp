#include "comm/engine/mpi/process/patience.hpp"
#include "comm/engine/mpi/rank/mpi_rank.hpp"

#include <algorithm>

namespace overlapack::comm::mpi {

Woken MpiRank::wait_any(std::span<Request* const> requests, LaneSet probes) {
  Woken woken;
  bool can_end = !probes.empty();
  bool by_signal = false, by_flag = false;
  for (const Request* r : requests) {
    if (!r || !*r) continue;
    can_end = true;
    const auto what = static_cast<const MpiOperation&>(*r->operation()).what;
    by_signal |= what == "signal";
    by_flag |= what == "flag";
  }
  if (!can_end) throw Error(Status::internal, "a wait without requests or probes would never end");

  const auto is_over = [&] {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (!requests[i] || !*requests[i]) continue;
      if (requests[i]->pending() && !static_cast<MpiOperation&>(*requests[i]->operation()).refresh())
        continue;
      woken = {Woken::By::request, i, Lane::user};
      return true;
    }
    for (int l = 0; l < lane_count; ++l) {
      const auto lane = static_cast<Lane>(l);
      if (!probes.has(lane)) continue;
      if (engine_.transfers.can_block()) endpoint_->port(lane).open_standing_slot();
      if (!endpoint_->port(lane).probe(any_rank)) continue;
      woken = {Woken::By::probe, 0, lane};
      return true;
    }
    return false;
  };
  const bool can_block = (!by_signal || engine_.table().signal) && !by_flag;  // no request ends with a flag
  make_progress_until(is_over, can_block, [&] { return describe(requests, probes); });
  return woken;
}

void MpiRank::make_progress_until(FunctionRef<bool()> is_over, bool may_block,
                                  FunctionRef<std::string()> what) {
  Patience patience(engine_.library);
  const bool is_watched = engine_.is_watched();
  Engine::Silence silence{};
  if (is_watched) {
    const std::lock_guard lock(engine_.mutex);
    silence = engine_.silence_from_now();
  }
  const bool is_simulated = engine_.transfers.can_block();
  const bool blocks = is_simulated && may_block && !is_watched;
  bool has_blocked = false;
  for (;;) {
    std::unique_lock lock(engine_.mutex);
    const bool has_moved = !blocks && engine_.advance();
    engine_.publish_and_check_abort();
    if (!engine_.hooks.is_empty()) {
      lock.unlock();
      engine_.hooks.run();
      lock.lock();
    }
    if (is_over()) {
      engine_.end_watch();
      // A caller may wait again and again for something that is already here, until something else arrives: let simulated time
      // pass, or that would never arrive.
      if (blocks && !has_blocked && engine_.advance()) engine_.publish();
      return;
    }
    if (is_simulated && engine_.has_unpublished()) continue;
    if (blocks) {
      engine_.transfers.block();
      has_blocked = true;
      continue;
    }
    const bool is_moving = !has_moved && endpoint_->is_moving();
    if (!has_moved && patience.is_long()) engine_.require_all_present();
    lock.unlock();
    if (has_moved)
      patience.reset();
    else
      patience.spin_or_nap(!is_moving);
    if (is_watched) engine_.watch(silence, what);
  }
}

void Engine::watch(Silence& silence, FunctionRef<std::string()> waits_for) {
  const std::lock_guard lock(mutex);
  Watch& watch = site_->watch();
  if (watch.events() != silence.events) {
    silence = silence_from_now();
    return watch.withdraw_report();
  }
  if (now() - silence.since_s < options.watchdog_s) return;
  if (!watch.has_reported())
    watch.report_wait(waits_for() + (phase.empty() ? "" : " in phase " + std::string(phase)));
  abort_if_deadlocked();
  const std::string* const sentence = watch.received_deadlock_report();
  if (!sentence) return;
  complete_accesses();
  throw Error(Status::comm_failure, *sentence);
}

void Engine::require_all_present() {
  try {
    library.require_all_present();
  } catch (...) {
    complete_accesses();
    throw;
  }
}

void Engine::end_watch() { site_->watch().withdraw_report(); }

void Engine::watch_as_finished(Silence& silence) {
  Watch& watch = site_->watch();
  if (is_aborted()) return;
  if (watch.events() != silence.events) silence = silence_from_now();
  // a simulated rank is called again only after a completion, so it reports at once
  if (!transfers.can_block() && now() - silence.since_s < options.watchdog_s) return;
  if (!watch.has_reported()) watch.report_wait("");
  abort_if_deadlocked();
}

/// On rank 0: if all ranks have reported, tell the first waiting one to abort with the watchdog's report.
void Engine::abort_if_deadlocked() {
  if (site_->rank() != 0) return;
  if (const auto report = site_->watch().describe_deadlock(options.watchdog_s))
    site_->watch().send_deadlock_report(*report);
}

}  // namespace overlapack::comm::mpi
