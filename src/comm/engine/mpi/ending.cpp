/// How a run ends: all ranks agree on whether it failed, and after a failure nothing is left on its way.
#include "comm/engine/mpi/engine.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace overlapack::comm::mpi {

void Engine::begin_run() {
  const std::lock_guard lock(mutex);
  publish();
  failure_ = nullptr;  // ended the last run
  watch_->begin_run();
  is_running_ = true;
  run_begins_.notify_one();
}

std::unique_ptr<Error> Engine::end_run() {
  const std::lock_guard lock(mutex);  // to the end: whatever is to move yet moves here
  is_running_ = false;
  const std::vector<Status>& all = exchange_status();
  const bool has_failed = std::any_of(all.begin(), all.end(), [](const Status& s) { return s.has_failed; });
  std::unique_ptr<Error> error = has_failed ? agree_on_error(all) : nullptr;
  complete_rounds(has_failed);
  if (has_failed) settle_meetings();
  end_rounds(has_failed);
  if (has_failed) {
    // Only now may anybody start the next run: a receive of the drain could have taken its messages.
    alarm_->reset();
    complete([&](OverlapackRequest* r) { return table().barrier(control_, r); }, "MPI_Ibarrier");
  }
  return error;
}

/// Waits until every rank has left its function; whoever is still inside a collective call is joined there.
const std::vector<Engine::Status>& Engine::exchange_status() {
  const Status mine{is_aborted() ? alarm_->first().time_s : 0, is_aborted(), alarm_->have_sent()};
  bool is_done = false;
  transfers.start(
      "MPI_Iallgather", [&](const OverlapackCompletion&) { is_done = true; },
      [&](OverlapackRequest* r) {
        return table().allgather(control_, &mine, sizeof mine, statuses_.data(), r);
      });
  watch_->begin_end();
  Silence silence = silence_from_now();
  serve_until([&] {
    alarm_->send_on();
    settle_open_meetings();
    if (!is_done && is_watched()) watch_as_finished(silence);
    return is_done;
  });
  return statuses_;
}

/// The earliest of the errors, then that of the lowest rank; every rank gets its text.
std::unique_ptr<Error> Engine::agree_on_error(const std::vector<Status>& all) {
  int first = -1, poisons = 0;
  for (int r = 0; r < size_; ++r) {
    const Status& s = all[static_cast<std::size_t>(r)];
    if (!s.has_sent_poison) continue;
    poisons += r != rank_;
    if (first < 0 || s.time_s < all[static_cast<std::size_t>(first)].time_s) first = r;
  }
  Poison poison = first == rank_ ? alarm_->first() : Poison{};
  share(poison, first);
  serve_until([&] {
    alarm_->send_on();
    return alarm_->received() == poisons && alarm_->all_sent();
  });
  return std::make_unique<Error>(poison.error());
}

/// All ranks get this one's.
void Engine::share(Poison& poison, int from) {
  complete([&](OverlapackRequest* r) { return table().broadcast(control_, &poison, sizeof poison, from, r); },
           "MPI_Ibcast");
}

void Engine::settle_open_meetings() {
  for (std::size_t i = 0; i < endpoints_.size(); ++i)
    if (!endpoints_[i]->round_is_complete()) endpoints_[i]->settle_open_meeting();
}

/// After a failure every team exchanges what it sent; else those with windows that may be unused, and, without
/// waiting for ranks that still use them, those that this rank has left.
void Engine::complete_rounds(bool of_all) {
  for (std::size_t settled = 0; settled < endpoints_.size();) {
    serve_until([&] {
      if (of_all) settle_open_meetings();
      bool is_over = true;
      for (std::size_t i = 0; i < endpoints_.size(); ++i) {
        Endpoint& e = *endpoints_[i];
        const bool is_needed = of_all || e.has_windows();
        if (is_needed || !e.is_used) e.start_round();
        is_over &= e.round_is_complete() || !is_needed;
      }
      return is_over;
    });
    settled = endpoints_.size();
    // By now all know who came to which meeting; settling one may make a new team.
    for (std::size_t i = 0; of_all && i < settled; ++i) endpoints_[i]->settle_open_meeting();
  }
}

/// Come late to the meetings that others wait in, for nothing but their end; not before everybody knows that.
void Engine::settle_meetings() {
  complete([&](OverlapackRequest* r) { return table().barrier(control_, r); }, "MPI_Ibarrier");
  for (const auto& e : endpoints_) e->start_missed_meetings();
  serve_until([&] {
    return std::none_of(endpoints_.begin(), endpoints_.end(),
                        [](const auto& e) { return e->has_open_meeting(); });
  });
}

/// What all have left is emptied, after a failure everything, and given back. Just the rounds that are complete now: one
/// that completes meanwhile, while these are emptied, is the next run's, or its team would be freed with receives posted.
void Engine::end_rounds(bool drains_all) {
  Endpoints settled;
  std::copy_if(endpoints_.begin(), endpoints_.end(), std::back_inserter(settled),
               [](const auto& e) { return e->round_is_complete(); });
  for (const auto& e : settled) e->free_windows();
  Endpoints emptied;
  std::copy_if(settled.begin(), settled.end(), std::back_inserter(emptied),
               [&](const auto& e) { return drains_all || e->is_left_by_all(); });
  drain(emptied);
  for (const auto& e : settled) {
    e->end_round();
    if (!e->is_left_by_all()) continue;
    e->free();
    std::erase(endpoints_, e);
  }
}

void Engine::drain(const Endpoints& emptied) {
  for (const auto& e : emptied) e->withdraw_receives();
  serve_until([&] {
    bool is_clean = true;
    for (const auto& e : emptied) is_clean &= e->drain();
    return is_clean;
  });
  for (const auto& e : emptied) e->discard();
}

void Engine::close() {
  const std::lock_guard lock(mutex);
  shared_world()->is_used = false;
  complete_rounds(true);
  end_rounds(true);
  alarm_->withdraw();
  serve_until([&] { return alarm_->is_withdrawn(); });
  if (is_watched()) close_watch();
  check(table().free_comm(control_), "MPI_Comm_free");
}

/// Nothing that a rank has told is on its way any more.
void Engine::close_watch() {
  std::vector<std::int64_t> sent_to_me(static_cast<std::size_t>(size_));
  complete(
      [&](OverlapackRequest* r) {
        return table().alltoall(control_, watch_->sent().data(), sizeof(std::int64_t), sent_to_me.data(), r);
      },
      "MPI_Ialltoall");
  const std::int64_t all = std::accumulate(sent_to_me.begin(), sent_to_me.end(), std::int64_t{0});
  serve_until([&] { return watch_->received() == all; });
  watch_->withdraw();
  serve_until([&] { return watch_->is_withdrawn(); });
}

Engine::~Engine() {
  mover_ = {};
  try {
    if (library.is_own_process() && !library.has_ended()) close();
  } catch (...) {  // MPI is broken: nothing of ours can be given back
    library.abandon();
  }
}

}  // namespace overlapack::comm::mpi
