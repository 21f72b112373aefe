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
  const bool is_watched = engine_.is_watched();
  Engine::Silence silence{};
  if (is_watched) {
    const std::lock_guard lock(engine_.mutex);
    silence = engine_.silence_from_now();
  }
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
    hooks_.run();
    {
      const std::lock_guard lock(engine_.mutex);
      if (is_over()) {
        engine_.end_watch();
        // What is there already may be waited for again and again until something else comes: let time pass.
        if (blocks && !has_blocked && engine_.advance()) engine_.publish();
        return true;
      }
      if (deadline != no_deadline && now() >= deadline) {
        engine_.end_watch();
        return false;
      }
      if (is_simulated && engine_.has_unpublished()) continue;
      if (blocks) {
        engine_.transfers.block();
        has_blocked = true;
        continue;
      }
    }
    if (has_moved)
      patience.reset();
    else
      patience.rest(deadline - now(), !is_moving);
    if (is_watched) engine_.watch(silence, what);
  }
}

void Engine::watch(Silence& silence, FunctionRef<std::string()> waits_for) {
  std::optional<std::string> report;
  {
    const std::lock_guard lock(mutex);
    if (watch_->events() != silence.events) {
      silence = silence_from_now();
      return watch_->take_back();
    }
    if (now() - silence.since_s < watch_->silence_s()) return;
    if (!watch_->has_told()) {
      const std::string text = waits_for();
      if (text.empty()) return;  // for a deadline alone
      watch_->tell(text + (phase.empty() ? "" : " in phase " + std::string(phase)));
    }
    report = judge();
    if (const std::string* sentence = watch_->my_sentence()) {
      complete_accesses();
      throw Error(ErrorKind::comm_failure, "watchdog", *sentence);
    }
    if (!report) return;
    silence = silence_from_now();
    watch_->take_back();
  }
  on_silence(*report);
}

void Engine::end_watch() { watch_->take_back(); }

void Engine::watch_as_finished(Silence& silence) {
  if (is_aborted()) return;
  if (watch_->events() != silence.events) silence = silence_from_now();
  // a simulated rank looks again only when something comes
  if (!transfers.can_block() && now() - silence.since_s < watch_->silence_s()) return;
  if (!watch_->has_told()) watch_->tell("");
  const std::optional<std::string> report = judge();
  if (!report) return;
  silence = silence_from_now();
  watch_->take_back();
  on_silence(*report);
}

/// On rank 0: if all wait, the report for whoever listens; where nobody does, the first that waits ends the run with it.
std::optional<std::string> Engine::judge() {
  if (rank_ != 0) return std::nullopt;
  std::optional<std::string> report = watch_->verdict();
  if (!report || on_silence) return report;
  watch_->sentence(watch_->first_waiting(), *report);
  return std::nullopt;
}

}  // namespace overlapack::comm::mpi
