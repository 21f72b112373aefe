#include "comm/wrap/traced.hpp"

#include "base/scoped_true.hpp"
#include "comm/collective/collective.hpp"
#include "comm/wrap/observed_window.hpp"

#include <algorithm>

namespace overlapack::comm {

std::string_view TracedRank::name(Lane lane, Kind kind) const {
  if (kind_name_) return kind_name_(lane, kind);
  return lane_names[static_cast<std::size_t>(lane)];
}

std::unique_ptr<Rank> TracedRank::split(int color, int key) {
  auto part = inner_.split(color, key);
  if (!recorder_.keeps_events())
    return std::make_unique<TracedRank>(std::move(part), recorder_, kind_name_, std::vector<int>(), 0);
  const auto size = static_cast<std::size_t>(part->size());
  std::vector<int> names(size + 1, -1);  // rank numbers in the whole team, then a new team number
  names[static_cast<std::size_t>(part->rank())] = recorder_.rank();
  names[size] = recorder_.teams + 1;
  collective::all_reduce(*part, std::span<int>(names), [](int a, int b) { return std::max(a, b); });
  recorder_.teams = names[size];
  names.pop_back();
  return std::make_unique<TracedRank>(std::move(part), recorder_, kind_name_, std::move(names),
                                      recorder_.teams);
}

Send TracedRank::start_send(Lane lane, int to, const Header& header, Body body) {
  const double begin = now();
  const std::size_t bytes = body.size();
  const std::int64_t number = recorder_.next_number();
  Send send = inner_.start_send(lane, to, header, std::move(body));
  if (recorder_.keeps_events() && send.pending()) sent_.push_back({send.operation(), number, begin});
  recorder_.add({.begin_s = begin,
                 .end_s = now(),
                 .what = trace::What::send,
                 .kind = name(lane, header.kind),
                 .peer = peer(to),
                 .bytes = bytes,
                 .stream = stream(lane),
                 .number = number});
  return send;
}

Recv TracedRank::post_receive(Lane lane, int from) {
  return record_posted_receive(inner_.post_receive(lane, from));
}

Recv TracedRank::record_posted_receive(Recv receive) {
  posted_.push_back({receive.operation(), recorder_.next_number(), now()});
  record_arrivals();
  return receive;
}

/// Record receives that have completed. Operations change only within engine calls, which run this before they return.
void TracedRank::record_arrivals() {
  std::erase_if(posted_, [this](const Watched& posted) {
    const auto operation = posted.operation.lock();
    if (!operation) return true;
    if (!operation->done) return false;
    if (operation->was_aborted) return true;
    if (is_waiting_) arrived_.push_back(posted);
    const Message& m = operation->message;
    recorder_.add({.begin_s = now(),
                   .end_s = now(),
                   .what = trace::What::receive,
                   .kind = name(m.lane, m.header.kind),
                   .peer = peer(m.source),
                   .bytes = m.body.size(),
                   .stream = stream(m.lane),
                   .number = posted.number,
                   .posted_s = posted.posted_s});
    return true;
  });
}

bool TracedRank::test(Request& request) {
  const bool done = inner_.test(request);
  record_arrivals();
  return done;
}

/// Number of the message that ended a wait; after a probe, that of the next message to be received; 0 if no message ended it.
std::int64_t TracedRank::number_of(const Woken& woken, std::span<Request* const> requests) const {
  if (woken.by == Woken::By::probe) return recorder_.last_number() + 1;
  for (const auto* watched : {&arrived_, &sent_})
    for (const Watched& w : *watched)
      if (w.operation.lock() == requests[woken.index]->operation()) return w.number;
  return 0;
}

Woken TracedRank::wait_any(std::span<Request* const> requests, LaneSet probes) {
  arrived_.clear();
  std::erase_if(sent_, [](const Watched& sent) {
    const auto operation = sent.operation.lock();
    return !operation || operation->done;
  });
  const double begin = now(), helping_before = inner_.counters().helping_s;
  const Woken woken = [&] {
    const ScopedTrue waiting(is_waiting_);
    return inner_.wait_any(requests, probes);
  }();
  // Slices of other ranks that this one ran during the wait are recorded as work behind the wait, which is shortened by their time.
  const double end = now(), helping = inner_.counters().helping_s - helping_before;
  recorder_.add({.begin_s = begin,
                 .end_s = end - helping,
                 .what = trace::What::wait,
                 .number = helping > 0 ? 0 : number_of(woken, requests)});
  if (helping > 0)
    recorder_.add(
        {.begin_s = end - helping, .end_s = end, .what = trace::What::compute, .kind = "slices of others"});
  return woken;
}

/// Reading the clock twice costs as much as storing a word, so that accesses are timed only if events are kept.
std::unique_ptr<Window> TracedRank::wrap_window(std::unique_ptr<Window> window) {
  if (!recorder_.keeps_events()) return window;
  const auto record = [this](const ObservedWindow::Access& access, FunctionRef<void()> run) {
    const double begin = now();
    run();
    recorder_.add({.begin_s = begin,
                   .end_s = now(),
                   .what = trace::What::access,
                   .kind = access.name(),
                   .peer = access.peer < 0 ? -1 : peer(access.peer),
                   .bytes = access.bytes});
  };
  return std::make_unique<ObservedWindow>(std::move(window), record);
}

void TracedRank::run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) {
  record_work(total, [&] { inner_.run_slices(total, count, slice); });
}

void TracedRank::run_tasks(const Work& total, TaskSource& source) {
  record_work(total, [&] { inner_.run_tasks(total, source); });
}

void TracedRank::run_compute(const Work& work, FunctionRef<void()> f) {
  record_work(work, [&] { inner_.compute(work, f); });
}

void TracedRank::record_work(const Work& work, FunctionRef<void()> f) {
  if (is_computing_) return f();
  const double begin = now();
  is_computing_ = true;
  try {
    f();
  } catch (...) {
    is_computing_ = false;
    throw;
  }
  is_computing_ = false;
  recorder_.add({.begin_s = begin,
                 .end_s = now(),
                 .what = work.kind == "pack" ? trace::What::pack : trace::What::compute,
                 .kind = work.kind,
                 .bytes = static_cast<std::size_t>(work.bytes),
                 .flops = work.flops});
}

}  // namespace overlapack::comm
