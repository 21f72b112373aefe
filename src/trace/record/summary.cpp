#include "overlapack/printed.hpp"
#include "trace/record/recorder.hpp"

#include <algorithm>
#include <functional>

namespace overlapack::trace {
namespace {

/// Seconds between begin_s and end_s in which this rank neither computed nor handled a message, the time before its first and
/// after its last event included.
double waited_s(const Totals& t, double begin_s, double end_s) {
  const double outside = t.events > 0 ? (t.first_s - begin_s) + (end_s - t.last_s) : end_s - begin_s;
  return t[What::wait] + outside;
}

}  // namespace

Summary summarise(const Timeline& timeline) {
  Summary sum;
  const double begin = timeline.begin_s(), end = timeline.end_s();
  sum.elapsed_s = end - begin;
  double waited = 0;
  for (const Totals& t : timeline.totals()) {
    const double mine = waited_s(t, begin, end);
    waited += mine;
    sum.wait_share_of_rank.push_back(sum.elapsed_s > 0 ? std::min(1.0, mine / sum.elapsed_s) : 0);
    sum.messages += t.messages;
    sum.bytes += t.bytes;
    sum.largest_message_bytes = std::max(sum.largest_message_bytes, t.largest_message_bytes);
    sum.flops += t.flops;
  }
  for (const auto& of_rank : timeline.kinds())
    for (const KindTotals& kind : of_rank) totals_of(sum.kinds, kind.kind).add(kind);
  std::ranges::stable_sort(sum.kinds, std::ranges::greater(), &KindTotals::bytes);
  const double available = sum.elapsed_s * static_cast<double>(timeline.totals().size());
  sum.wait_share = available > 0 ? std::min(1.0, waited / available) : 0;
  return sum;
}

std::string summary_table(const Timeline& timeline) {
  const Summary sum = summarise(timeline);
  std::string table = printed("%5s", "rank");
  for (std::string_view what : what_names) table += printed(" %10s", std::string(what).append(" s").c_str());
  table += printed(" %7s %9s %12s %9s\n", "waited", "messages", "bytes", "Gflop");
  for (std::size_t i = 0; i < timeline.totals().size(); ++i) {
    const Totals& t = timeline.totals()[i];
    table += printed("%5d", t.rank);
    for (double s : t.time_s) table += printed(" %10.4f", s);
    table += printed(" %6.1f%% %9lld %12zu %9.3f\n", 100 * sum.wait_share_of_rank[i],
                     static_cast<long long>(t.messages), t.bytes, t.flops / 1e9);
  }
  return table;
}

std::string kinds_table(const Timeline& timeline) {
  const Summary sum = summarise(timeline);
  const double ranks = std::max<double>(1, static_cast<double>(timeline.totals().size()));
  const auto line = [&](std::string_view name, std::int64_t messages, std::size_t bytes,
                        std::size_t largest) {
    return printed("%-22s %10lld %14zu %14zu %16.0f\n", std::string(name).c_str(),
                   static_cast<long long>(messages), bytes, largest, static_cast<double>(bytes) / ranks);
  };
  std::string table =
      printed("%-22s %10s %14s %14s %16s\n", "kind", "messages", "bytes", "largest", "bytes a rank");
  for (const KindTotals& kind : sum.kinds)
    table += line(kind.kind, kind.messages, kind.bytes, kind.largest_bytes);
  return table + line("all", sum.messages, sum.bytes, sum.largest_message_bytes);
}

}  // namespace overlapack::trace
