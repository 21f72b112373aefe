#include "overlapack/printed.hpp"
#include "overlapack/trace.hpp"
#include "trace/pictures/families.hpp"
#include "trace/record/message_ends.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace overlapack::trace {
namespace {

/// Shares of the time below this are not mentioned.
constexpr double least_share = 0.005;
/// A reason for waiting is mentioned if it causes more than this share of it.
constexpr double main_reason = 0.2;

std::string shares_text(const std::vector<std::pair<std::string, double>>& shares) {
  std::string text;
  for (const auto& [name, share] : shares)
    if (share >= least_share) text += (text.empty() ? "" : ", ") + name + " " + percent_text(share);
  return text;
}

std::string describe_shares(const std::vector<FamilySeconds>& seconds, double all_s) {
  const double ranks = static_cast<double>(seconds.size());
  const auto share = [&](Family first, Family last) {
    double sum = 0;
    for (const FamilySeconds& mine : seconds)
      for (auto f = static_cast<std::size_t>(first); f <= static_cast<std::size_t>(last); ++f) sum += mine[f];
    return sum / (ranks * all_s);
  };
  return printed("Of %s on %zu rank%s: ", seconds_text(all_s).c_str(), seconds.size(),
                 seconds.size() > 1 ? "s" : "") +
         shares_text({{seconds.size() > 1 ? "analysis (on one rank)" : "analysis",
                       share(Family::analysis, Family::analysis)},
                      {"computing", share(Family::parts, Family::other)},
                      {"messages", share(Family::messages, Family::messages)},
                      {"waiting", share(Family::wait, Family::wait)},
                      {"idle or not recorded", share(Family::idle, Family::idle)}}) +
         ".";
}

/// Seconds that `rank` waited, by kind and sender of the message it waited for.
std::map<std::pair<std::string_view, int>, double> waits_of(const Timeline& timeline, int rank) {
  std::map<std::int64_t, const Event*> sent;  // by the receiver's number
  for (const MessageEnds& m : messages_of(timeline))
    if (m.receive->rank == rank) sent[m.receive->number] = m.send;
  std::map<std::pair<std::string_view, int>, double> seconds;
  for (const Event& e : timeline.events())
    if (e.rank == rank && e.what == What::wait && e.number > 0)
      if (const auto found = sent.find(e.number); found != sent.end())
        seconds[{found->second->kind, found->second->rank}] += e.end_s - e.begin_s;
  return seconds;
}

std::string describe_most_waiting_rank(const Timeline& timeline, const std::vector<FamilySeconds>& seconds,
                                       double all_s) {
  const auto waited = [](const FamilySeconds& mine) { return mine[static_cast<std::size_t>(Family::wait)]; };
  const auto most = std::ranges::max_element(seconds, {}, waited);
  if (most == seconds.end() || waited(*most) < 2 * least_share * all_s) return "";
  const int rank = timeline.totals()[static_cast<std::size_t>(most - seconds.begin())].rank;
  std::string text = printed(" Rank %d waits%s, %s", rank, seconds.size() > 1 ? " most" : "",
                             seconds_text(waited(*most)).c_str());
  const auto reasons = waits_of(timeline, rank);
  const auto reason = std::ranges::max_element(reasons, {}, [](const auto& r) { return r.second; });
  if (reason != reasons.end() && reason->second > main_reason * waited(*most))
    text += printed(", %s of it for \"%s\" of rank %d", seconds_text(reason->second).c_str(),
                    std::string(reason->first.first).c_str(), reason->first.second);
  return text + ".";
}

Family family_of_link(const PathLink& link) {
  switch (link.what) {
    case Link::compute:
      return family_of(Event{.what = What::compute, .kind = link.kind});
    case Link::outside:
      return Family::idle;
    case Link::wait:
      return Family::wait;
    default:
      return Family::messages;
  }
}

std::string path_in_words(const Timeline& timeline, double all_s) {
  if (timeline.events().empty()) return "";
  std::vector<std::pair<std::string, double>> shares;
  for (std::size_t f = 0; f < family_count; ++f) shares.emplace_back(look_of(static_cast<Family>(f)).name, 0);
  shares[static_cast<std::size_t>(Family::analysis)].second = timeline.analysis_s() / all_s;
  for (const PathLink& link : critical_path(timeline))
    shares[static_cast<std::size_t>(family_of_link(link))].second += (link.end_s - link.begin_s) / all_s;
  std::ranges::stable_sort(shares, std::ranges::greater(), &std::pair<std::string, double>::second);
  shares.resize(4);
  return " Critical path: " + shares_text(shares) + ".";
}

}  // namespace

std::string in_words(const Timeline& timeline) {
  const double all_s = elapsed_s(timeline);
  if (!(all_s > 0)) return "";
  const std::vector<FamilySeconds> seconds = family_seconds(timeline, all_s);
  return describe_shares(seconds, all_s) + describe_most_waiting_rank(timeline, seconds, all_s) +
         path_in_words(timeline, all_s);
}

}  // namespace overlapack::trace
