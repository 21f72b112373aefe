/// End of a run: all ranks agree on whether it failed, and no message stays under way. One allgather suffices if it succeeded and
/// all messages were received.
#include "comm/engine/mpi/run/engine.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::comm::mpi {

void Engine::begin_run() {
  const std::lock_guard lock(mutex);
  if (is_running_)
    throw Error(Status::bad_plan, "a team cannot be run from inside its own run; open a second team");
  if (transfers.is_broken()) throw transfers.breakdown();
  site_->require_communicator();
  publish();
  failure_ = nullptr;  // belongs to the last run
  site_->begin_run(is_watched());
  ++runs_;
  for (const auto& e : *endpoints_) e->begin_run();
  is_running_ = true;
  run_begins_.notify_one();
}

std::unique_ptr<Error> Engine::end_run() {
  const std::lock_guard lock(mutex);  // held to the end: only this thread makes progress
  is_running_ = false;
  try {
    if (!transfers.is_broken()) return agree_on_end_of_run();
  } catch (const Error&) {
    if (!transfers.is_broken()) throw;
    abort(transfers.breakdown());
  }
  return std::make_unique<Error>(transfers.breakdown());
}

std::unique_ptr<Error> Engine::agree_on_end_of_run() {
  const std::span<const RunEnd> all = gather_run_ends();
  const bool has_failed = std::ranges::any_of(all, [](const RunEnd& s) { return s.has_failed != 0; });
  const bool has_sent_notes = std::ranges::any_of(all, [](const RunEnd& s) { return s.has_sent_notes != 0; });
  const auto on_the_way = std::accumulate(all.begin(), all.end(), std::int64_t{0},
                                          [](auto sum, const RunEnd& s) { return sum + s.on_the_way; });
  std::unique_ptr<Error> error = has_failed ? agree_on_error(all) : nullptr;
  close_endpoints(has_failed);
  if (has_failed || on_the_way != 0) receive_all();
  for (const auto& e : *endpoints_) e->end_run(has_failed);
  transfers.make_progress_until(wait_for("the end of its last messages"),
                                [&] { return std::ranges::all_of(*endpoints_, &Endpoint::is_at_rest); });
  publish();
  if (has_sent_notes) receive_late_notes();
  free_unused_parts();
  site_->end_run(wait_for("the end of a run"));
  if (!has_failed) return nullptr;
  // Barrier before the next run starts: its abort could be taken for this run's.
  site_->alarm().reset();
  transfers.complete(
      wait_for("the others to forget an error"),
      [&](OverlapackRequest* r) { return table().barrier(site_->agreements(), r); }, "MPI_Ibarrier");
  return error;
}

/// Gather the status of all ranks: returns once every rank's function has returned. Meanwhile completes the meetings in which other
/// ranks still wait.
std::span<const Engine::RunEnd> Engine::gather_run_ends() {
  const Alarm& alarm = site_->alarm();
  for (const auto& e : *endpoints_)
    if (is_aborted() && !library.is_simulated()) e->mark_windows_unused();
  const auto sent = std::accumulate(endpoints_->begin(), endpoints_->end(), std::int64_t{0},
                                    [](auto sum, const auto& e) { return sum + e->sent() - e->arrived(); });
  const RunEnd mine{.team = team_->number,
                    .has_failed = alarm.is_raised(),
                    .has_raised_first = alarm.has_raised_first(),
                    .has_sent_notes = site_->watch().has_sent_notes(),
                    .time_s = alarm.is_raised() ? alarm.first_error().time_s : 0,
                    .on_the_way = sent,
                    .unused = {}};
  const std::span<const RunEnd> statuses = site_->start_gather(mine);
  site_->watch().clear_own_report();
  Silence silence = silence_from_now();
  transfers.make_progress_until({}, [&] {
    site_->alarm().retry_sending_abort();
    complete_open_meetings();
    if (!site_->has_gathered() && is_watched()) watch_as_finished(silence);
    return site_->has_gathered();
  });
  require_same_call(statuses);
  if (transfers.is_broken()) throw transfers.breakdown();
  return statuses;
}

/// Errors  if ranks end runs of different teams, or some open one: the error of the run that failed, in which they were, else
///         CommFailure; MPI is given up
void Engine::require_same_call(std::span<const RunEnd> all) {
  if (std::ranges::all_of(all, [&](const RunEnd& s) { return s.team == all.front().team; })) return;
  const Alarm& alarm = site_->alarm();
  const bool has_failed =
      std::ranges::any_of(all, [](const RunEnd& s) { return s.team != no_team && s.has_failed; });
  if (has_failed && site_->is_in_run())
    transfers.make_progress_until(wait_for("the error of another rank"), [&] { return alarm.is_raised(); });
  transfers.mark_broken(
      alarm.is_raised() ? alarm.first_error().error()
                        : Error(Status::comm_failure,
                                "the ranks of a communicator were called for different factors or solvers; "
                                "call for the same, in the same order"));
  throw transfers.breakdown();
}

/// Agree on the earliest error, of equal times that of the lowest rank; broadcast its text.
std::unique_ptr<Error> Engine::agree_on_error(std::span<const RunEnd> all) {
  int first = -1;
  for (int r = 0; r < site_->size(); ++r) {
    const RunEnd& s = all[static_cast<std::size_t>(r)];
    if (s.has_raised_first && (first < 0 || s.time_s < all[static_cast<std::size_t>(first)].time_s))
      first = r;
  }
  Alarm& alarm = site_->alarm();
  Poison poison = first == site_->rank() ? alarm.first_error() : Poison{};
  const Wait wait = wait_for("the error of another rank");
  share(poison, first, wait);
  transfers.make_progress_until(wait, [&] {
    alarm.retry_sending_abort();
    return alarm.has_no_abort_under_way();
  });
  return std::make_unique<Error>(poison.error());
}

void Engine::complete_open_meetings() {
  for (std::size_t i = 0; i < endpoints_->size(); ++i) (*endpoints_)[i]->complete_open_meeting();
}

/// Hold the last meetings: of parts, of endpoints with windows that may be unused, and, after a failure, of all. Completing an open
/// meeting may add a part, so endpoints_ may grow.
void Engine::close_endpoints(bool has_failed) {
  transfers.make_progress_until(wait_for("the others to leave a part of the team, or windows"), [&] {
    bool is_over = true;
    for (std::size_t i = 0; i < endpoints_->size(); ++i) is_over &= (*endpoints_)[i]->close(has_failed);
    return is_over;
  });
  for (const auto& e : *endpoints_) e->free_windows();
}

/// Receive all messages sent in this run; end_run() then keeps or drops them.
void Engine::receive_all() {
  const std::int64_t all = sum_of_sent_to_me(
      [&](int to) {
        std::int64_t sent = 0;
        for (const auto& e : *endpoints_) sent += e->sent_to_position(to);
        return sent;
      },
      wait_for("how many messages others sent"));
  transfers.make_progress_until(wait_for("messages that are under way"), [&] {
    std::int64_t arrived = 0;
    for (const auto& e : *endpoints_) {
      e->receive_more();
      arrived += e->arrived();
    }
    return arrived == all;
  });
}

/// Sum over all ranks of count(this rank), where count(to) is a rank's number of messages sent to rank `to`. Collective.
template <class Count>
std::int64_t Engine::sum_of_sent_to_me(Count count, const Wait& wait) {
  static_assert(2 * sizeof(std::int64_t) <= Site::record_bytes);
  const auto size = static_cast<std::size_t>(site_->size());
  auto* const sent = reinterpret_cast<std::int64_t*>(site_->records());
  std::int64_t* const sent_to_me = sent + size;
  for (int to = 0; to < site_->size(); ++to) sent[to] = count(to);
  transfers.complete(
      wait,
      [&](OverlapackRequest* r) {
        return table().alltoall(site_->agreements(), sent, sizeof(std::int64_t), sent_to_me, r);
      },
      "MPI_Ialltoall");
  return std::accumulate(sent_to_me, sent_to_me + size, std::int64_t{0});
}

/// Receive all watchdog notes under way. Those of another team's run may come to one without a watchdog.
void Engine::receive_late_notes() {
  Watch& watch = site_->watch();
  watch.receive_notes();
  const Wait wait = wait_for("notes of the watchdog");
  const std::int64_t all = sum_of_sent_to_me([&](int to) { return watch.sent_to(to); }, wait);
  transfers.make_progress_until(wait, [&] { return watch.received() == all; });
  watch.clear_sent_notes();
}

void Engine::free_unused_parts() {
  std::erase_if(*endpoints_, [this](const auto& e) {
    if (!e->is_left_by_all()) return false;
    std::erase(team_->parts, e->comm());
    check(table().free_comm(e->comm()), "MPI_Comm_free");
    return true;
  });
}

}  // namespace overlapack::comm::mpi
