#include "comm/superstep/world.hpp"

#include <algorithm>

namespace overlapack::comm::superstep {

void World::sync() {
  run_with_loans([this] {
    begin_sync();
    finish_sync();
  });
}

void World::start_sync() {
  require_open();
  end_loans();
  begin_sync();
  ++counters_.split_syncs;
}

void World::begin_sync() {
  require_open();
  end_computation();
  arrived_s_ = began_s_;
  begin_census(send_records(), false);
  is_syncing_ = true;
  began_s_ = rank().now();
}

void World::finish_sync() {
  if (!is_syncing_) misuse("finish_sync without start_sync");
  between_s_ = end_computation();
  is_syncing_ = false;
  if (known_senders_) return finish_sync_of_known(*std::exchange(known_senders_, std::nullopt));
  finish_census();
  complete(census_.senders(), census_.meeting().arrival_s, agreed_registrations());
  charge_repetitions();
}

void World::sync_known(std::vector<int> senders) {
  run_with_loans([&] {
    begin_sync_of_known(std::move(senders));
    finish_sync();
  });
}

void World::start_sync_known(std::vector<int> senders) {
  require_open();
  end_loans();
  begin_sync_of_known(std::move(senders));
  ++counters_.split_syncs;
}

void World::begin_sync_of_known(std::vector<int> senders) {
  require_open();
  for (const int from : senders) require_process(from);
  std::erase(senders, me_);
  std::ranges::sort(senders);
  if (std::ranges::adjacent_find(senders) != senders.end())
    misuse("sync_known names process " + std::to_string(*std::ranges::adjacent_find(senders)) +
           " twice; name each sender once");
  if (!answers_.empty()) misuse("sync_known delivers no gets; call sync");
  if (areas_.needs_agreement()) misuse("sync_known agrees on no pop of a null pointer; call sync");
  end_computation();
  arrived_s_ = began_s_;
  const std::vector<bool> sends_to = send_records();
  ++counters_.known_syncs;
  if (plan_.is_checked) begin_census(sends_to, false);
  known_senders_ = std::move(senders);
  is_syncing_ = true;
  began_s_ = rank().now();
}

void World::finish_sync_of_known(std::vector<int> senders) {
  if (plan_.is_checked) {
    finish_census();
    if (census_.senders() != senders)
      misuse("sync_known names " + std::to_string(senders.size()) + " senders, but " +
             std::to_string(census_.senders().size()) +
             " have something for it; name all that do, and no others");
  }
  complete(std::move(senders), arrived_s_, {});
}

bool World::is_ready() const {
  if (!known_senders_ || plan_.is_checked) return census_.is_done();
  return std::ranges::all_of(
      *known_senders_, [this](int from) { return exchange_.has_arrived(rank_of(from), records_key(from)); });
}

void World::end() {
  require_open();
  end_computation();
  for (int to = 0; to < processes(); ++to)
    if (!traffic_[static_cast<std::size_t>(to)].empty())
      misuse("the world ends with something for process " + std::to_string(to) +
             " that no sync delivers; call sync");
  arrived_s_ = began_s_;
  begin_census(std::vector<bool>(ranks_.size()), true);
  finish_census();
  end_sync(census_.meeting().arrival_s);
  charge_repetitions();
  exchange_.close();
}

void World::send_body(int to, SyncMessage kind, Body body) {
  exchange_.send(rank_of(to), {kind, superstep_}, std::move(body));
}

Body World::receive_body(int from, SyncMessage kind) {
  return exchange_.receive(rank_of(from), {kind, superstep_}).body;
}

/// Key of the next message with records from a process. Both sides count these messages, and the key holds superstep and count, so that
/// receive_records recognises a message of another superstep.
Key World::records_key(int from) const {
  return {SyncMessage::records, superstep_, bodies_received_[static_cast<std::size_t>(from)]};
}

Body World::receive_records(int from) {
  const Key key = records_key(from);
  const auto got = std::make_shared<std::optional<Body>>();  // outlives an error thrown while waiting
  exchange_.call_when_arrived(rank_of(from), key,
                              [got](Message&& message) { *got = std::move(message.body); });
  std::optional<std::int64_t> other;
  exchange_.wait_until([&] {
    if (!got->has_value()) other = exchange_.step_of_early_message(rank_of(from), key.move, key.part);
    return got->has_value() || other.has_value();
  });
  if (other)
    misuse("process " + std::to_string(from) +
           (*other > superstep_ ? " has nothing for it, but sync_known waits for that"
                                : " had something for it in superstep " + std::to_string(*other) +
                                      ", whose sync_known did not name it") +
           "; name all that have, and no others");
  ++bodies_received_[static_cast<std::size_t>(from)];
  ++received_.messages;
  return std::move(**got);
}

/// End the present stretch of work; returns its seconds.
double World::end_computation() {
  const double now_s = rank().now(), worked_s = now_s - began_s_;
  work_s_ += worked_s;
  parts_.compute_s += worked_s;
  began_s_ = now_s;
  return worked_s;
}

/// Send the records to the other processes, starting with the next one. These orders form a Latin square, so that no two processes send
/// to the same one at once. Returns, by process, whether there was a message for it.
/// Source  Hill, Skillicorn, Lessons learned from implementing BSP, Future Generation Computer Systems 13 (1998)
std::vector<bool> World::send_records() {
  std::vector<bool> sends_to(ranks_.size());
  for (int distance = 1; distance < processes(); ++distance) {
    const int to = (me_ + distance) % processes();
    Traffic& traffic = traffic_[static_cast<std::size_t>(to)];
    if (traffic.empty()) continue;
    sends_to[static_cast<std::size_t>(to)] = true;
    ++counters_.messages;
    ++to_send_.messages;
    if (traffic.records() > 1) counters_.combined += traffic.records();
    exchange_.send(rank_of(to),
                   {SyncMessage::records, superstep_, bodies_sent_[static_cast<std::size_t>(to)]++},
                   traffic.take());
  }
  mine_ = traffic_[static_cast<std::size_t>(me_)].take();
  return sends_to;
}

void World::begin_census(const std::vector<bool>& sends_to, bool is_end) {
  const auto tag_bytes = static_cast<std::int64_t>(next_tag_bytes_);
  Meeting mine = meeting_of(me_, {is_end ? 1 : 0, superstep_, areas_.fingerprint(),
                                  std::ssize(areas_.calls()), tag_bytes, tag_calls_});
  mine.words = std::max(sent_.words - reported_sent_.words, received_.words - reported_received_.words);
  mine.messages =
      std::max(sent_.messages - reported_sent_.messages, received_.messages - reported_received_.messages);
  mine.work_s = std::exchange(work_s_, 0);
  mine.arrival_s = arrived_s_;
  if (owed_.times > 0) {
    mine.span_begin_s = owed_.begin_s;
    mine.span_end_s = owed_.end_s;
  }
  census_.start(censuses_++, sends_to, mine, areas_.calls());
  reported_sent_ = sent_;
  reported_received_ = received_;
}

/// Receive all records. Then, in BSPlib's order: answer the gets of others from the present memory, write the answers to this process's
/// own gets, write the puts.
void World::complete(std::vector<int> senders, double last_arrival_s, std::span<const AgreedCall> agreed) {
  sent_.add(1, std::exchange(to_send_, {}), {});
  std::vector<Arrival> arrivals;
  senders.insert(std::ranges::upper_bound(senders, me_), me_);
  for (const int from : senders)
    arrivals.push_back({from, from == me_ ? std::exchange(mine_, Body()) : receive_records(from)});
  answer_gets(arrivals);
  receive_answers();
  queue_.clear();
  queue_bytes_ = 0;
  queued_.clear();
  write(std::move(arrivals));
  if (plan_.queue_seed != 0) shuffle_queue();
  for (const int to : std::exchange(lent_to_, {})) receive_body(to, SyncMessage::taken);
  if (const std::string how = areas_.apply_registrations(agreed); !how.empty()) misuse(how);
  tag_bytes_ = next_tag_bytes_;
  ++superstep_;
  ++cost_.supersteps;
  end_sync(last_arrival_s);
}

void World::end_sync(double last_arrival_s) {
  began_s_ = rank().now();
  const double took_s = began_s_ - arrived_s_ - std::exchange(between_s_, 0);
  const double idle_s = std::clamp(last_arrival_s - (began_s_ - took_s), 0.0, took_s);
  parts_.idle_s += idle_s;
  parts_.exchange_s += took_s - idle_s;
  exchange_s_ += took_s - idle_s;
  ++unreported_supersteps_;
}

}  // namespace overlapack::comm::superstep
