#include "comm/wrap/traced.hpp"

namespace overlapack::comm {

std::string_view TracedRank::name(Lane lane, Kind kind) const {
  if (kind_name_) return kind_name_(lane, kind);
  return lane_names[static_cast<std::size_t>(lane)];
}

std::unique_ptr<Rank> TracedRank::split(int color, int key) {
  return std::make_unique<TracedRank>(inner_.split(color, key), recorder_, kind_name_);
}

Send TracedRank::start_send(Lane lane, int to, const Header& header, Body body) {
  const double begin = now();
  const std::size_t bytes = body.size();
  Send send = inner_.start_send(lane, to, header, std::move(body));
  recorder_.add({.begin_s = begin,
                 .end_s = now(),
                 .what = trace::What::send,
                 .kind = name(lane, header.kind),
                 .peer = to,
                 .bytes = bytes,
                 .stream = static_cast<int>(lane)});
  return send;
}

Recv TracedRank::post_receive(Lane lane, int from) { return watch(inner_.post_receive(lane, from)); }

Recv TracedRank::post_receive_into(Lane lane, int from, std::span<std::byte> buffer) {
  return watch(inner_.post_receive_into(lane, from, buffer));
}

Recv TracedRank::watch(Recv receive) {
  posted_.push_back(receive.operation());
  record_arrivals();
  return receive;
}

/// An operation changes only inside engine calls, which run this before they return: each arrival is seen once.
void TracedRank::record_arrivals() {
  std::erase_if(posted_, [this](const std::weak_ptr<Operation>& weak) {
    const auto operation = weak.lock();
    if (!operation) return true;
    if (!operation->done) return false;
    if (operation->error) return true;
    const Message& m = operation->message;
    recorder_.add({.begin_s = now(),
                   .end_s = now(),
                   .what = trace::What::receive,
                   .kind = name(m.lane, m.header.kind),
                   .peer = m.source,
                   .bytes = m.body.size(),
                   .stream = static_cast<int>(m.lane)});
    return true;
  });
}

bool TracedRank::test(Request& request) {
  const bool done = inner_.test(request);
  record_arrivals();
  return done;
}

Woken TracedRank::wait_any(std::span<Request* const> requests, LaneSet probes, double deadline) {
  const double begin = now(), helping_before = inner_.counters().helping_s;
  const Woken woken = inner_.wait_any(requests, probes, deadline);
  // Slices of other ranks that ran meanwhile are work, drawn behind the waiting that they shortened.
  const double end = now(), helping = inner_.counters().helping_s - helping_before;
  recorder_.add(
      {.begin_s = begin, .end_s = end - helping, .what = is_idle_ ? trace::What::idle : trace::What::wait});
  if (helping > 0)
    recorder_.add(
        {.begin_s = end - helping, .end_s = end, .what = trace::What::compute, .kind = "slices of others"});
  return woken;
}

void TracedRank::run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) {
  record_work(total, [&] { inner_.run_slices(total, count, slice); });
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
