#pragma once
#include "trace/recorder.hpp"

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace overlapack::trace {

/// The events and totals of all ranks of a run; owns the names its events point to.
class Timeline {
 public:
  Timeline() = default;
  Timeline(const Timeline&) = delete;  // the events point into names_
  Timeline& operator=(const Timeline&) = delete;
  Timeline(Timeline&&) = default;
  Timeline& operator=(Timeline&&) = default;

  /// Take in what one rank recorded; ranks may come in any order.
  void add(const Recorder& recorder);
  /// The same from the bytes that packed() made on another rank.
  /// Errors  Internal if the bytes are not what packed() makes
  void add(std::span<const std::byte> bytes);

  /// Ascending by rank, then by begin.
  const std::vector<Event>& events() const { return events_; }
  /// Ascending by rank.
  const std::vector<Totals>& totals() const { return totals_; }
  /// What each rank sent, by kind: in the order of totals().
  const std::vector<std::vector<KindTotals>>& kinds() const { return kinds_; }
  bool empty() const { return totals_.empty(); }
  double begin_s() const;
  double end_s() const;

 private:
  void take(const Totals& totals, std::vector<Event> events, std::vector<KindTotals> kinds);
  std::string_view own(std::string_view name) { return *names_.emplace(name).first; }

  std::set<std::string, std::less<>> names_;
  std::vector<Event> events_;
  std::vector<Totals> totals_;
  std::vector<std::vector<KindTotals>> kinds_;
};

/// Everything in a recorder as bytes, to be sent to the rank that makes the timeline (same binary at both ends).
std::vector<std::byte> packed(const Recorder& recorder);

}  // namespace overlapack::trace
