#include "comm/wrap/counted.hpp"

#include "comm/wrap/observed_window.hpp"

#include <algorithm>

namespace overlapack::comm {

void Counts::Traffic::add(std::size_t message_bytes) {
  ++messages;
  bytes += message_bytes;
  largest_bytes = std::max(largest_bytes, message_bytes);
}

std::unique_ptr<Rank> CountedRank::split(int color, int key) {
  return std::make_unique<CountedRank>(inner_.split(color, key), counts_);
}

Send CountedRank::start_send(Lane lane, int to, const Header& header, Body body) {
  const std::size_t bytes = body.size();
  Send send = inner_.start_send(lane, to, header, std::move(body));
  counts_.sent.add(bytes);
  counts_.by_lane[static_cast<std::size_t>(lane)].add(bytes);
  counts_.by_kind[header.kind].add(bytes);
  return send;
}

Recv CountedRank::post_receive(Lane lane, int from) {
  ++counts_.receives_posted;
  return inner_.post_receive(lane, from);
}

Woken CountedRank::wait_any(std::span<Request* const> requests, LaneSet probes) {
  const double begin = now();
  const Woken woken = inner_.wait_any(requests, probes);
  ++counts_.waits;
  counts_.wait_s += now() - begin;
  return woken;
}

std::unique_ptr<Window> CountedRank::wrap_window(std::unique_ptr<Window> window) {
  const auto count = [this](const ObservedWindow::Access& access, FunctionRef<void()> run) {
    using enum ObservedWindow::What;
    const bool is_both = access.what == put_signal;
    if (access.what == put || access.what == store || is_both) counts_.put.add(access.bytes);
    if (is_both) ++counts_.put_signals;
    if (access.what == get) counts_.got.add(access.bytes);
    if (access.what == signal || is_both) ++counts_.signals;
    if (access.what == expect) ++counts_.signals_awaited;
    run();
  };
  return std::make_unique<ObservedWindow>(std::move(window), count);
}

void CountedRank::run_slices(const Work& total, std::size_t count, FunctionRef<void(std::size_t)> slice) {
  ++counts_.computes;
  counts_.flops += total.flops;
  inner_.run_slices(total, count, slice);
}

void CountedRank::run_tasks(const Work& total, TaskSource& source) {
  ++counts_.computes;
  counts_.flops += total.flops;
  inner_.run_tasks(total, source);
}

void CountedRank::run_compute(const Work& work, FunctionRef<void()> f) {
  ++counts_.computes;
  counts_.flops += work.flops;
  inner_.compute(work, f);
}

}  // namespace overlapack::comm
