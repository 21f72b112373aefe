#include "comm/superstep/world.hpp"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstring>
#include <numeric>

namespace overlapack::comm::superstep {
namespace {

std::vector<int> all_unless_given(const Rank& rank, std::vector<int> ranks) {
  if (!ranks.empty()) return ranks;
  ranks.resize(static_cast<std::size_t>(rank.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

std::vector<int> processes_by_rank(const Rank& rank, std::span<const int> ranks) {
  std::vector<int> processes(static_cast<std::size_t>(rank.size()), -1);
  for (std::size_t process = 0; process < ranks.size(); ++process)
    processes[static_cast<std::size_t>(ranks[process])] = static_cast<int>(process);
  if (processes[static_cast<std::size_t>(rank.rank())] < 0)
    throw Error(ErrorKind::internal, "superstep",
                "rank " + std::to_string(rank.rank()) + " opens a world that it is no process of");
  return processes;
}

std::string text(std::integral auto number) { return std::to_string(number); }

std::size_t size_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

constexpr std::int64_t request_words = 2;  // of a get: where, and how much

bool is_get(const Record& record) {
  return record.what == Record::What::get || record.what == Record::What::get_direct;
}

Record access(Record::What what, Slot slot, std::size_t offset, std::size_t bytes) {
  return {what, slot.number, static_cast<std::int64_t>(offset), static_cast<std::int64_t>(bytes)};
}
Record message(std::size_t tag_bytes, std::size_t bytes) {
  return {Record::What::message, static_cast<std::int64_t>(tag_bytes), 0, static_cast<std::int64_t>(bytes)};
}

void copy(const std::byte* from, std::span<std::byte> to) {
  if (!to.empty()) std::memmove(to.data(), from, to.size());
}

/// What two processes that contradict each other have said.
std::string contradiction(Claim claim, const Extremes& said) {
  const std::string low = "process " + text(said.low_process), high = "process " + text(said.high_process);
  switch (claim) {
    case Claim::is_end:
      return high + " ends the world while " + low + " synchronises; call sync equally often on all";
    case Claim::superstep:
      return low + " synchronises in superstep " + text(said.low) + ", " + high + " in superstep " +
             text(said.high) + "; call sync_known on all or on none";
    case Claim::registrations:
      return std::min(low, high) + " and " + std::max(low, high) +
             " have registered areas differently; call push_reg and pop_reg in the same order on all";
    case Claim::tag_bytes:
      return low + " sets tags of " + text(said.low) + " bytes, " + high + " of " + text(said.high) +
             "; call set_tagsize with the same size on all";
  }
  return {};
}

}  // namespace

World::World(Rank& rank, const WorldPlan& plan, std::vector<int> ranks)
    : exchange_(rank, Lane::bulk, plan.inbox),
      plan_(plan),
      ranks_(all_unless_given(rank, std::move(ranks))),
      process_of_(processes_by_rank(rank, ranks_)),
      me_(process_of(rank.rank())),
      is_phantom_(rank.capabilities().is_phantom),
      is_shared_(rank.capabilities().shared_memory),
      census_(exchange_, ranks_, me_),
      traffic_(ranks_.size()),
      began_s_(rank.now()) {}

WorldCounters World::counters() const {
  WorldCounters counters = counters_;
  counters.early = exchange_.early();
  return counters;
}

void World::misuse(const std::string& what) const {
  throw Error(ErrorKind::internal, "superstep",
              "process " + text(me_) + ", superstep " + text(superstep_) + ": " + what);
}

void World::require_open() const {
  if (is_syncing_) misuse("nothing is asked for between start_sync and finish_sync");
}

void World::require_process(int process) const {
  require_open();
  if (process < 0 || process >= processes())
    misuse("there is no process " + text(process) + " in a world of " + text(processes()));
}

void World::require_slot(Slot slot) const {
  if (!areas_.find(slot, superstep_))
    misuse("slot " + text(slot.number) +
           " is not registered; push_reg holds from the next sync on, and until the sync behind pop_reg");
}

bool World::goes_direct(int process, std::size_t bytes) const {
  return bytes >= plan_.direct_bytes && (is_shared_ || process == me_);
}

Slot World::push_reg(std::span<std::byte> memory) {
  require_open();
  return areas_.add(memory, superstep_);
}

void World::pop_reg(Slot slot) {
  require_open();
  if (!areas_.withdraw(slot, superstep_)) misuse("slot " + text(slot.number) + " was not registered");
}

/// What goes to a process, with so many words more; to myself it costs none.
Traffic& World::traffic_to(int process, std::int64_t words) {
  if (process != me_) words_to_send_ += words;
  return traffic_[static_cast<std::size_t>(process)];
}

void World::put(int to, std::span<const std::byte> from, Slot slot, std::size_t offset) {
  require_process(to);
  require_slot(slot);
  Traffic& traffic = traffic_to(to, words_of(from.size()));
  if (is_phantom_) return traffic.add_phantom(from.size());
  traffic.add(access(Record::What::put, slot, offset, from.size()), from);
  counters_.copied_bytes += std::ssize(from);
}

void World::hpput(int to, std::span<const std::byte> from, Slot slot, std::size_t offset) {
  require_process(to);
  require_slot(slot);
  Traffic& traffic = traffic_to(to, words_of(from.size()));
  if (is_phantom_) return traffic.add_phantom(from.size());
  if (!goes_direct(to, from.size())) {
    counters_.copied_bytes += std::ssize(from);
    return traffic.add_later(access(Record::What::put, slot, offset, from.size()), from);
  }
  Record record = access(Record::What::put_direct, slot, offset, from.size());
  record.source = from.data();
  traffic.add(record);
  if (to != me_) lent_to_.insert(to);
  ++counters_.direct;
}

void World::get(int from, Slot slot, std::size_t offset, std::span<std::byte> to) {
  add_get(from, slot, offset, to, false);
}

void World::hpget(int from, Slot slot, std::size_t offset, std::span<std::byte> to) {
  add_get(from, slot, offset, to, goes_direct(from, to.size()));
}

void World::add_get(int from, Slot slot, std::size_t offset, std::span<std::byte> to, bool is_direct) {
  require_process(from);
  require_slot(slot);
  if (is_phantom_) misuse("a phantom has nothing that could be got; simulate puts");
  Record record = access(is_direct ? Record::What::get_direct : Record::What::get, slot, offset, to.size());
  record.target = to.data();
  traffic_to(from, request_words).add(record);
  answers_.push_back({from, to, is_direct});
  counters_.direct += is_direct ? 1 : 0;
}

std::size_t World::set_tagsize(std::size_t bytes) {
  require_open();
  next_tag_bytes_ = bytes;
  return tag_bytes_;
}

/// Where a message goes, if it may.
Traffic& World::message_to(int process, std::size_t tag_bytes, std::size_t payload_bytes) {
  require_process(process);
  if (tag_bytes != tag_bytes_)
    misuse("a tag of " + text(tag_bytes) + " bytes is sent where tags have " + text(tag_bytes_) +
           "; set_tagsize holds from the next sync on");
  if (is_phantom_) misuse("a phantom has no queue; simulate puts");
  counters_.copied_bytes += static_cast<std::int64_t>(payload_bytes);
  return traffic_to(process, words_of(payload_bytes) + words_of(tag_bytes) + 1);
}

void World::send(int to, std::span<const std::byte> tag, std::span<const std::byte> payload) {
  message_to(to, tag.size(), payload.size()).add(message(tag.size(), payload.size()), payload, tag);
}

void World::hpsend(int to, std::span<const std::byte> tag, std::span<const std::byte> payload) {
  message_to(to, tag.size(), payload.size()).add_later(message(tag.size(), payload.size()), payload, tag);
}

QueueSize World::queue_size() const {
  QueueSize size{std::ssize(queue_), 0};
  for (const MessageView& message : queue_) size.bytes += message.payload.size();
  return size;
}

void World::move(std::span<std::byte> payload) {
  const MessageView message = hpmove();
  const std::size_t bytes = std::min(payload.size(), message.payload.size());
  copy(message.payload.data(), payload.first(bytes));
  counters_.copied_bytes += static_cast<std::int64_t>(bytes);
}

MessageView World::hpmove() {
  require_open();
  if (queue_.empty()) misuse("the queue is empty; look at queue_size");
  const MessageView message = queue_.front();
  queue_.pop_front();
  return message;
}

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
      misuse("sync_known names " + text(senders.size()) + " senders, but " + text(census_.senders().size()) +
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
      misuse("the world ends with something for process " + text(to) + " that no sync delivers; call sync");
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

/// Beginning with the next process: in a Latin square, nobody is sent to by two at once.
/// Returns to whom.
/// Source  Hill, Skillicorn, Lessons learned from implementing BSP, Future Generation Computer Systems 13 (1998), section 4
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
                  "superstep " + text(meeting.of(Claim::superstep).low) + ": " +
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
    misuse("process " + text(from) + (is_get(record) ? " gets " : " puts ") + text(bytes) +
           " bytes at offset " + text(offset) + " of slot " + text(record.slot) + ", which has " +
           text(memory ? memory->size() : 0) + " here");
  return memory->subspan(offset, bytes);
}

/// One message to each process that gets something: in the order of its gets.
void World::answer_gets(const std::vector<Arrival>& arrivals) {
  for (const auto& [from, body] : arrivals) {
    std::vector<std::byte> values;
    bool has_asked = false;
    for_each_record(body, [&, from = from](const Record& record, const std::byte*) {
      if (!is_get(record)) return;
      has_asked = true;
      const std::span<std::byte> place = place_of(record, from);
      if (from != me_) sent_words_ += words_of(place.size());
      if (record.what == Record::What::get_direct)
        copy(place.data(), {record.target, place.size()});
      else
        values.insert(values.end(), place.begin(), place.end());
    });
    counters_.copied_bytes += std::ssize(values);
    if (has_asked && from != me_) send_body(from, SyncMessage::answers, Body::adopt(std::move(values)));
    if (has_asked && from == me_) mine_ = Body::adopt(std::move(values));
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
          copy(data, place_of(record, from));
          break;
        case Record::What::put_direct:
          copy(record.source, place_of(record, from));
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
    copy(body.data() + used, to);
    used += to.size();
  }
}

}  // namespace overlapack::comm::superstep
