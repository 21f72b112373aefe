#pragma once
#include "overlapack/trace.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace overlapack::trace {

/// Find the totals of a kind in the list; append them if the kind is new.
inline KindTotals& totals_of(std::vector<KindTotals>& kinds, std::string_view kind) {
  const auto at = std::ranges::find(kinds, kind, &KindTotals::kind);
  return at != kinds.end() ? *at : kinds.emplace_back(KindTotals{.kind = kind});
}

/// The events of one rank. Used by that rank's thread only, so it needs no lock.
class Recorder {
 public:
  enum class Keep : std::uint8_t { totals, events };

  explicit Recorder(int rank = 0, Keep keep = Keep::events) : keep_(keep) { totals_.rank = rank; }

  int rank() const { return totals_.rank; }
  bool keeps_events() const { return keep_ == Keep::events; }

  /// Append one event; its rank is set to this recorder's. Amortised constant cost, no locks, no clock.
  void add(Event event) {
    event.rank = totals_.rank;
    count(event);
    if (keeps_events()) events_.push_back(event);
  }

  /// Event::number for the next send or posted receive.
  std::int64_t next_number() { return ++numbers_; }
  std::int64_t last_number() const { return numbers_; }

  /// Number of teams that this rank has been in, not counting the first. It goes into Event::stream, so that messages of
  /// different teams are in different streams.
  int teams = 0;

  const Totals& totals() const { return totals_; }
  const std::vector<Event>& events() const { return events_; }
  const std::vector<KindTotals>& kinds() const { return kinds_; }

  void clear() {
    totals_ = Totals{.rank = totals_.rank};
    events_.clear();
    kinds_.clear();
  }

 private:
  void count(const Event& e) {
    totals_.time_s[static_cast<std::size_t>(e.what)] += e.end_s - e.begin_s;
    totals_.flops += e.flops;
    if (e.what == What::disk) return;  // overlaps the rank's own work
    totals_.first_s = totals_.events == 0 ? e.begin_s : std::min(totals_.first_s, e.begin_s);
    totals_.last_s = totals_.events == 0 ? e.end_s : std::max(totals_.last_s, e.end_s);
    ++totals_.events;
    if (e.what != What::send) return;
    ++totals_.messages;
    totals_.bytes += e.bytes;
    totals_.largest_message_bytes = std::max(totals_.largest_message_bytes, e.bytes);
    totals_of(kinds_, e.kind).add(e.bytes);
  }

  Keep keep_;
  std::int64_t numbers_ = 0;  ///< not reset by clear(): a receive may have been posted before
  Totals totals_;
  std::vector<Event> events_;
  std::vector<KindTotals> kinds_;  ///< of sent messages, in the order of first use
};

/// Everything in a recorder as bytes, to be sent to the rank that makes the timeline. Both ranks must run the same binary.
std::vector<std::byte> packed(const Recorder& recorder);

}  // namespace overlapack::trace
