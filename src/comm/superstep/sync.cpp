#include "comm/superstep/world.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace overlapack::comm::superstep {
namespace {

std::size_t size_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

/// What two processes that contradict each other have said.
std::string contradiction(Claim claim, const Extremes& said) {
  const std::string low = "process " + std::to_string(said.low_process),
                    high = "process " + std::to_string(said.high_process);
  switch (claim) {
    case Claim::is_end:
      return high + " ends the world while " + low + " synchronises; call sync equally often on all";
    case Claim::superstep:
      return low + " synchronises in superstep " + std::to_string(said.low) + ", " + high + " in superstep " +
             std::to_string(said.high) + "; call sync_known on all or on none";
    case Claim::registrations:
      return std::min(low, high) + " and " + std::max(low, high) +
             " have registered areas differently; call push_reg and pop_reg in the same order on all";
    case Claim::tag_bytes:
      return low + " sets tags of " + std::to_string(said.low) + " bytes, " + high + " of " +
             std::to_string(said.high) + "; call set_tagsize with the same size on all";
  }
  return {};
}

}  // namespace

void World::sync() {
  start_sync();
  --counters_.split_syncs;
  finish_sync();
}

void World::start_sync() {
  require_open();
  leave_work();
  begin_census(send_records(), false);
  is_syncing_ = true;
  ++counters_.split_syncs;
  began_s_ = rank().now();
}

void World::finish_sync() {
  if (!is_syncing_) misuse("finish_sync without start_sync");
  leave_work();
  is_syncing_ = false;
  finish_census();
  complete(census_.senders());
}

void World::sync_known(std::vector<int> senders) {
  require_open();
  std::ranges::sort(senders);
  if (!answers_.empty()) misuse("sync_known delivers no gets; call sync");
  leave_work();
  const std::vector<bool> sends_to = send_records();
  ++counters_.known_syncs;
  if (plan_.is_checked) {
    begin_census(sends_to, false);
    finish_census();
    if (census_.senders() != senders)
      misuse("sync_known names " + std::to_string(senders.size()) + " senders, but " +
             std::to_string(census_.senders().size()) +
             " have something for it; name all that do, and no others");
  }
  complete(std::move(senders));
}

void World::charge_syncs(std::int64_t count, bool are_known) {
  if (count <= 0) return;
  const int rounds = are_known ? 1 : static_cast<int>(std::bit_width(ranks_.size() - 1));
  leave_work();
  rank().compute({.kind = "message", .flops = static_cast<double>(count * rounds)}, [] {});
  began_s_ = rank().now();
  cost_.supersteps += count;
}

void World::end() {
  require_open();
  leave_work();
  for (int to = 0; to < processes(); ++to)
    if (!traffic_[static_cast<std::size_t>(to)].empty())
      misuse("the world ends with something for process " + std::to_string(to) +
             " that no sync delivers; call sync");
  begin_census(std::vector<bool>(ranks_.size()), true);
  finish_census();
  exchange_.close();
}

void World::send_body(int to, SyncMessage kind, Body body) {
  exchange_.send(ranks_[static_cast<std::size_t>(to)], {kind, superstep_}, std::move(body));
}

Body World::receive_body(int from, SyncMessage kind) {
  return exchange_.receive(ranks_[static_cast<std::size_t>(from)], {kind, superstep_}).body;
}

void World::leave_work() { work_s_ += rank().now() - began_s_; }

/// Beginning with the next process: in a Latin square, nobody is sent to by two at once. Returns to whom there was something.
/// Source  Hill, Skillicorn, Lessons learned from implementing BSP, Future Generation Computer Systems 13 (1998)
std::vector<bool> World::send_records() {
  std::vector<bool> sends_to(ranks_.size());
  for (int distance = 1; distance < processes(); ++distance) {
    const int to = (me_ + distance) % processes();
    Traffic& traffic = traffic_[static_cast<std::size_t>(to)];
    if (traffic.empty()) continue;
    sends_to[static_cast<std::size_t>(to)] = true;
    ++counters_.messages;
    if (traffic.records() > 1) counters_.combined += traffic.records();
    send_body(to, SyncMessage::records, traffic.take());
  }
  mine_ = traffic_[static_cast<std::size_t>(me_)].take();
  return sends_to;
}

void World::begin_census(const std::vector<bool>& sends_to, bool is_end) {
  const auto tag_bytes = static_cast<std::int64_t>(next_tag_bytes_);
  census_.start(censuses_++, sends_to,
                meeting_of(me_, {is_end ? 1 : 0, superstep_, areas_.fingerprint(), tag_bytes},
                           std::max(sent_words_, received_words_), std::exchange(work_s_, 0)));
  sent_words_ = received_words_ = 0;
}

/// Everybody has come, and all say the same; or all throw the same.
void World::finish_census() {
  exchange_.wait_until([this] { return census_.is_done(); });
  const Meeting& meeting = census_.meeting();
  for (const Claim claim : {Claim::is_end, Claim::superstep, Claim::registrations, Claim::tag_bytes})
    if (!meeting.of(claim).are_alike())
      throw Error(ErrorKind::internal, "superstep",
                  "superstep " + std::to_string(meeting.of(Claim::superstep).low) + ": " +
                      contradiction(claim, meeting.of(claim)));
  cost_.words += meeting.words;
  cost_.work_s += meeting.work_s;
}

/// All that is for me is here: gets are answered from memory as it stands, then puts are written, then what I got.
void World::complete(std::vector<int> senders) {
  sent_words_ += std::exchange(words_to_send_, 0);
  std::vector<Arrival> arrivals;
  senders.insert(std::ranges::upper_bound(senders, me_), me_);
  for (const int from : senders)
    arrivals.push_back(
        {from, from == me_ ? std::exchange(mine_, Body()) : receive_body(from, SyncMessage::records)});
  answer_gets(arrivals);
  queue_.clear();
  queued_.clear();
  write(arrivals);
  take_answers();
  for (const int to : std::exchange(lent_to_, {})) receive_body(to, SyncMessage::taken);
  tag_bytes_ = next_tag_bytes_;
  ++superstep_;
  ++cost_.supersteps;
  began_s_ = rank().now();
}

/// The area here that a record is about.
std::span<std::byte> World::place_of(const Record& record, int from) const {
  const auto memory = areas_.find({record.slot}, superstep_);
  const std::size_t offset = size_of(record.offset), bytes = size_of(record.bytes);
  if (!memory || offset > memory->size() || bytes > memory->size() - offset)
    misuse("process " + std::to_string(from) + (record.is_get() ? " gets " : " puts ") +
           std::to_string(bytes) + " bytes at offset " + std::to_string(offset) + " of slot " +
           std::to_string(record.slot) + ", which has " + std::to_string(memory ? memory->size() : 0) +
           " here");
  return memory->subspan(offset, bytes);
}

/// One message to each process that gets something: in the order of its gets.
void World::answer_gets(const std::vector<Arrival>& arrivals) {
  for (const auto& [from, body] : arrivals) {
    std::vector<std::byte> values;
    bool has_asked = false;
    for_each_record(body, [&, from = from](const Record& record, const std::byte*) {
      if (!record.is_get()) return;
      has_asked = true;
      const std::span<std::byte> place = place_of(record, from);
      if (from != me_) sent_words_ += words_of(place.size());
      if (record.what == Record::What::get_direct)
        copy_bytes(place.data(), {record.target, place.size()});
      else
        values.insert(values.end(), place.begin(), place.end());
    });
    counters_.copied_bytes += std::ssize(values);
    if (!has_asked) continue;
    if (Body answers = Body::adopt(std::move(values)); from == me_)
      mine_ = std::move(answers);
    else
      send_body(from, SyncMessage::answers, std::move(answers));
  }
}

/// Puts to their places, messages into the queue; by sender, and in the order of its calls.
void World::write(const std::vector<Arrival>& arrivals) {
  for (const auto& [from, body] : arrivals) {
    bool is_lent = false;
    if (body.is_phantom()) received_words_ += words_of(body.size());
    for_each_record(body, [&, from = from](const Record& record, const std::byte* data) {
      std::int64_t words = words_of(size_of(record.bytes));
      switch (record.what) {
        case Record::What::put:
          copy_bytes(data, place_of(record, from));
          break;
        case Record::What::put_direct:
          copy_bytes(record.source, place_of(record, from));
          is_lent = true;
          break;
        case Record::What::message:
          queue_.push_back(
              {{data + padded(size_of(record.bytes)), size_of(record.slot)}, {data, size_of(record.bytes)}});
          words += words_of(size_of(record.slot)) + 1;
          break;
        case Record::What::get:
        case Record::What::get_direct:
          words = request_words;
      }
      if (from != me_) received_words_ += words;
    });
    if (is_lent && from != me_) send_body(from, SyncMessage::taken, {});
    queued_.push_back(body);
  }
}

void World::take_answers() {
  std::map<int, std::pair<Body, std::size_t>>
      answers;  // by process: what it answered, how much of that is used
  for (const Answer& answer : answers_)
    if (!answers.contains(answer.from))
      answers[answer.from].first =
          answer.from == me_ ? std::exchange(mine_, Body()) : receive_body(answer.from, SyncMessage::answers);
  for (const auto& [from, to, is_direct] : std::exchange(answers_, {})) {
    if (from != me_) received_words_ += words_of(to.size());
    if (is_direct) continue;
    auto& [body, used] = answers[from];
    copy_bytes(body.data() + used, to);
    used += to.size();
  }
}

}  // namespace overlapack::comm::superstep
