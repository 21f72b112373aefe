#include "overlapack/trace.hpp"
#include "trace/record/message_ends.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace overlapack::trace {
namespace {

/// One rank's events, sorted for searches backwards in time.
struct RankRecord {
  /// Events that take time and do not lie inside another one; by begin_s
  std::vector<const Event*> stretches;
  std::vector<const Event*> receives;                            ///< by time, ascending
  std::unordered_map<std::int64_t, const MessageEnds*> message;  ///< by Event::number of this rank's end
};

/// Walks the critical path backwards: from the event that ends last, on whichever rank, to the begin of the timeline. On a rank
/// it goes back over the stretches of work; where a stretch is a wait that a message ended, it goes on at the end of that
/// message, sender or receiver, that was ready last. The walk is always at time t_ on rank_; each step() appends one link and
/// moves t_ back.
class PathWalk {
 public:
  explicit PathWalk(const Timeline& timeline);
  std::vector<PathLink> path();

 private:
  const Event* last_before(const RankRecord& record, double t) const;
  const MessageEnds* cause(const RankRecord& record, const Event& stretch) const;
  const MessageEnds* handed_on(const RankRecord& record, const Event& stretch) const;
  bool follow(const MessageEnds* message);
  void step();
  void add(Link what, std::string_view kind, double begin_s);
  double behind_work(const MessageEnds& message, double begin_s, double end_s) const;

  double zero_s_;
  std::vector<MessageEnds> messages_;
  std::map<int, RankRecord> records_;
  std::vector<PathLink> links_;        ///< latest first
  const MessageEnds* came_ = nullptr;  ///< the message just followed back to its sender, or null
  int rank_ = 0;
  double t_ = 0;
};

PathWalk::PathWalk(const Timeline& timeline) : zero_s_(timeline.begin_s()), messages_(messages_of(timeline)) {
  t_ = zero_s_;
  for (const Event& e : timeline.events()) {
    if (e.what == What::disk) continue;  // a rank that waited for it has a wait event
    RankRecord& record = records_[e.rank];
    if (e.what == What::receive) {
      record.receives.push_back(&e);
      continue;
    }
    const bool is_inside = !record.stretches.empty() && e.begin_s < record.stretches.back()->end_s;
    if (e.end_s <= e.begin_s || is_inside) continue;
    record.stretches.push_back(&e);
    if (e.end_s > t_) {
      t_ = e.end_s;
      rank_ = e.rank;
    }
  }
  for (const MessageEnds& m : messages_) {
    if (m.send->number > 0) records_[m.send->rank].message.emplace(m.send->number, &m);
    if (m.receive->number > 0) records_[m.receive->rank].message.emplace(m.receive->number, &m);
  }
}

/// The stretch that began last before t.
const Event* PathWalk::last_before(const RankRecord& record, double t) const {
  const auto after =
      std::ranges::partition_point(record.stretches, [&](const Event* e) { return e->begin_s < t; });
  return after == record.stretches.begin() ? nullptr : *std::prev(after);
}

/// The message whose arrival ended a wait; null for other stretches.
const MessageEnds* PathWalk::cause(const RankRecord& record, const Event& stretch) const {
  if (stretch.what != What::wait) return nullptr;
  const auto found = record.message.find(stretch.number);
  return found == record.message.end() ? nullptr : found->second;
}

/// The path is inside a stretch of a rank because a message that the rank sent during it was followed back. If the rank had
/// received a message of the same kind and size earlier in the stretch, it only forwarded it while it waited or computed: returns
/// the latest such message that it received, else null.
const MessageEnds* PathWalk::handed_on(const RankRecord& record, const Event& stretch) const {
  if (!came_) return nullptr;
  auto r = std::ranges::partition_point(record.receives, [&](const Event* e) { return e->end_s <= t_; });
  while (r != record.receives.begin() && (*std::prev(r))->end_s > stretch.begin_s) {
    const Event& e = **--r;
    const auto found = record.message.find(e.number);
    if (e.kind == came_->send->kind && e.bytes == came_->send->bytes && found != record.message.end())
      return found->second;
  }
  return nullptr;
}

void PathWalk::add(Link what, std::string_view kind, double begin_s) {
  links_.push_back(
      {.what = what, .kind = kind, .rank = rank_, .from = rank_, .begin_s = begin_s, .end_s = t_});
  t_ = begin_s;
  came_ = nullptr;
}

/// Seconds between begin_s and end_s in which the sender, the receiver or both computed: the part of a message's flight that is
/// hidden behind work.
double PathWalk::behind_work(const MessageEnds& message, double begin_s, double end_s) const {
  std::vector<std::pair<double, double>> busy;
  for (const int rank : {message.send->rank, message.receive->rank}) {
    const auto& stretches = records_.at(rank).stretches;
    auto e = std::ranges::partition_point(stretches, [&](const Event* s) { return s->end_s <= begin_s; });
    for (; e != stretches.end() && (*e)->begin_s < end_s; ++e)
      if ((*e)->what == What::compute) busy.emplace_back((*e)->begin_s, (*e)->end_s);
  }
  std::ranges::sort(busy);
  double sum = 0, until = begin_s;
  for (const auto& [from, to] : busy) {
    const double first = std::max(from, until), last = std::min(to, end_s);
    if (last > first) sum += last - first;
    until = std::max(until, last);
  }
  return sum;
}

/// Follow a message back to its end that was ready last. Returns false, without a step, if the message is null or its begin does
/// not lie before t_, as when the clocks of two ranks contradict each other.
bool PathWalk::follow(const MessageEnds* message) {
  if (!message) return false;
  const double begin_s = message->begin_s(t_);
  if (begin_s >= t_ || begin_s < zero_s_) return false;
  links_.push_back({.what = Link::flight,
                    .kind = message->send->kind,
                    .rank = message->receive->rank,
                    .from = message->send->rank,
                    .begin_s = begin_s,
                    .end_s = t_,
                    .behind_work_s = behind_work(*message, begin_s, t_)});
  rank_ = message->last_ready(t_);
  t_ = begin_s;
  came_ = rank_ == message->send->rank ? message : nullptr;
  return true;
}

Link link_of(What what) {
  switch (what) {
    case What::compute:
      return Link::compute;
    case What::pack:
      return Link::pack;
    case What::send:
      return Link::send;
    case What::access:
      return Link::access;
    default:
      return Link::wait;
  }
}

void PathWalk::step() {
  const RankRecord& record = records_[rank_];
  const Event* e = last_before(record, t_);
  if (!e) return add(Link::outside, {}, zero_s_);
  if (e->end_s < t_) return add(Link::outside, {}, e->end_s);
  if (follow(t_ < e->end_s ? handed_on(record, *e) : cause(record, *e))) return;
  add(link_of(e->what), e->kind, e->begin_s);
}

std::vector<PathLink> PathWalk::path() {
  while (t_ > zero_s_) step();
  std::ranges::reverse(links_);
  return std::move(links_);
}

}  // namespace

std::vector<PathLink> critical_path(const Timeline& timeline) { return PathWalk(timeline).path(); }

}  // namespace overlapack::trace
