#include "comm/engine/mpi/mpi_rank.hpp"

#include <algorithm>

namespace overlapack::comm::mpi {

Woken MpiRank::wait_any(std::span<Request* const> requests, LaneSet probes, double deadline) {
  Woken woken;
  bool can_end = !probes.empty() || deadline != no_deadline;
  bool is_signalled = false;
  for (const Request* r : requests) {
    if (!r || !*r) continue;
    can_end = true;
    is_signalled |= static_cast<const MpiOperation&>(*r->operation()).what == "signal";
  }
  if (!can_end)
    throw Error(ErrorKind::internal, "wait_any",
                "a wait without requests, probes or deadline would never end");

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
      if (engine_.transfers.can_block()) endpoint_->port(lane).stand();
      if (!endpoint_->port(lane).probe(any_rank)) continue;
      woken = {Woken::By::probe, 0, lane};
      return true;
    }
    return false;
  };
  const bool can_block = !is_signalled || engine_.table().signal;
  serve_until(is_over, deadline, can_block, [&] { return describe(requests, probes); });
  return woken;
}

bool MpiRank::serve_until(FunctionRef<bool()> is_over, double deadline, bool may_block,
                          FunctionRef<std::string()> what) {
  Patience patience(engine_.library);
  double quiet_since = now();
  const bool is_watched = engine_.options.watchdog_s > 0;
  const bool is_simulated = engine_.transfers.can_block();
  const bool blocks = is_simulated && may_block && deadline == no_deadline && !is_watched;
  bool has_blocked = false;
  for (;;) {
    bool has_moved = false, is_moving = false;
    {
      const std::lock_guard lock(engine_.mutex);
      has_moved = !blocks && engine_.advance();
      engine_.look();
      is_moving = endpoint_->is_moving();
    }
    run_hooks();
    {
      const std::lock_guard lock(engine_.mutex);
      if (is_over()) {
        // What is there already may be waited for again and again until something else comes: let time pass.
        if (blocks && !has_blocked && engine_.advance()) engine_.publish();
        return true;
      }
      if (deadline != no_deadline && now() >= deadline) return false;
      if (is_simulated && engine_.has_unpublished()) continue;
      if (blocks) {
        engine_.transfers.block();
        has_blocked = true;
        continue;
      }
    }
    if (has_moved) {
      patience.reset();
      quiet_since = now();
    } else {
      patience.rest(deadline - now(), !is_moving);
    }
    if (is_watched) watch(quiet_since, what);
  }
}

/// Report what this rank waits for after each silence; throw it where nobody listens.
void MpiRank::watch(double& quiet_since, FunctionRef<std::string()> what) {
  const double silence_s = now() - quiet_since;
  if (silence_s < engine_.options.watchdog_s) return;
  std::string report = "nothing has happened for " + std::to_string(silence_s) + " s: rank " +
                       std::to_string(rank()) + " of " + std::to_string(size()) + " waits for " + what();
  if (!engine_.phase.empty()) report += " in phase " + std::string(engine_.phase);
  if (!engine_.on_silence) throw Error(ErrorKind::comm_failure, "watchdog", report);
  quiet_since = now();
  engine_.on_silence(report);
}

}  // namespace overlapack::comm::mpi
