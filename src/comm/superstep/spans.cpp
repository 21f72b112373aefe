#include "comm/superstep/world.hpp"

#include <algorithm>

/// Repetitions of a span of supersteps, charged instead of run.
namespace overlapack::comm::superstep {

void Parts::add(double times, const Parts& to, const Parts& from) {
  compute_s += times * (to.compute_s - from.compute_s);
  pack_s += times * (to.pack_s - from.pack_s);
  idle_s += times * (to.idle_s - from.idle_s);
  exchange_s += times * (to.exchange_s - from.exchange_s);
}

void World::begin_span() {
  end_computation();
  span_ = {began_s_, 0, parts_, cost_.supersteps, sent_, received_, 0};
}

void World::end_span(std::int64_t times) {
  if (times <= 0) return;
  end_computation();
  cost_.supersteps += times * (cost_.supersteps - span_.supersteps);
  sent_.add(times, sent_, span_.sent);
  received_.add(times, received_, span_.received);
  owed_ = span_;
  owed_.end_s = began_s_;
  owed_.parts = {};
  owed_.parts.add(1, parts_, span_.parts);
  owed_.times = times;
}

/// Charge the repetitions of a finished span. All processes are charged the same time; what is not this process's work or idling in it
/// counts as exchange.
void World::charge_repetitions() {
  if (owed_.times == 0) return;
  const Meeting& meeting = census_.meeting();
  const auto times = static_cast<double>(std::exchange(owed_.times, 0));
  const double begin_s = rank().now();
  rank().compute({.kind = "repeated", .flops = times * (meeting.span_end_s - meeting.span_begin_s)}, [] {});
  const double took_s = rank().now() - begin_s;
  Parts charged;
  // this process waits only once for what others did before the span: that is no part of a repetition
  owed_.parts.idle_s = std::max(0.0, owed_.parts.idle_s - (meeting.span_begin_s - owed_.begin_s));
  charged.add(times, owed_.parts, {});
  charged.exchange_s += took_s - charged.sum();
  parts_.add(1, charged, {});
  work_s_ += charged.compute_s + charged.pack_s;
  // exclude this time from a span under way
  span_.parts.add(1, charged, {});
  span_.begin_s += took_s;
  began_s_ = rank().now();
}

}  // namespace overlapack::comm::superstep
