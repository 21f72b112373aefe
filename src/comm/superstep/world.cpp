#include "comm/superstep/world.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

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
    throw Error(Status::internal,
                "rank " + std::to_string(rank.rank()) + " opens a world that it is no process of");
  return processes;
}

std::string address_text(const void* address) {
  std::ostringstream text;
  text << address;
  return text.str();
}

Record access(Record::What what, Slot slot, std::size_t offset, std::size_t bytes) {
  return {what, slot.number, static_cast<std::int64_t>(offset), static_cast<std::int64_t>(bytes)};
}
Record message(std::size_t tag_bytes, std::size_t bytes) {
  return {Record::What::message, static_cast<std::int64_t>(tag_bytes), 0, static_cast<std::int64_t>(bytes)};
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
      bodies_sent_(ranks_.size()),
      bodies_received_(ranks_.size()),
      traffic_(ranks_.size()),
      began_s_(rank.now()) {}

WorldCounters World::counters() const {
  WorldCounters counters = counters_;
  counters.early = exchange_.early_messages();
  counters.areas = areas_.count();
  return counters;
}

void World::misuse(const std::string& what) const {
  throw Error(Status::internal,
              "process " + std::to_string(me_) + ", superstep " + std::to_string(superstep_) + ": " + what);
}

void World::require_open() const {
  if (is_syncing_) misuse("nothing is asked for between start_sync and finish_sync");
}

void World::require_process(int process) const {
  require_open();
  if (process < 0 || process >= processes())
    misuse("there is no process " + std::to_string(process) + " in a world of " +
           std::to_string(processes()));
}

void World::require_slot(Slot slot) const {
  if (!areas_.find(slot))
    misuse("slot " + std::to_string(slot.number) +
           " is not registered; push_reg holds from the next sync on, and until the sync behind pop_reg");
}

bool World::is_accessed_directly(int process, std::size_t bytes) const {
  return bytes >= plan_.direct_bytes && (is_shared_ || process == me_);
}

Slot World::push_reg(std::span<std::byte> memory) {
  require_open();
  return areas_.add(memory);
}

void World::pop_reg(Slot slot) {
  require_open();
  if (!areas_.pop_registration(slot))
    misuse("slot " + std::to_string(slot.number) +
           " is popped, but was not registered, or was popped before");
}

void World::pop_area(const void* begin) {
  require_open();
  if (!areas_.pop_registration(static_cast<const std::byte*>(begin)))
    misuse("an area is popped that begins at " + address_text(begin) +
           ", where none is registered, or all were popped before");
}

Slot World::area_at(const void* begin) const {
  const Slot slot = slot_of(begin);
  if (slot.number < 0)
    misuse("an area is named that begins at " + address_text(begin) +
           ", where none is registered; push_reg holds from the next sync on");
  return slot;
}

/// The traffic to a process; counts `words` as sent, unless the process is this one.
Traffic& World::traffic_to(int process, std::int64_t words) {
  if (process != me_) to_send_.words += words;
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
  add_hpput(to, Body(loan_, from.data(), from.size()), false, slot, offset);
}

void World::hpput(int to, Body from, Slot slot, std::size_t offset) {
  add_hpput(to, std::move(from), true, slot, offset);
}

void World::add_hpput(int to, Body from, bool is_kept_alive, Slot slot, std::size_t offset) {
  require_process(to);
  require_slot(slot);
  Traffic& traffic = traffic_to(to, words_of(from.size()));
  if (is_phantom_) return traffic.add_phantom(from.size());
  if (!is_accessed_directly(to, from.size())) {
    counters_.copied_bytes += static_cast<std::int64_t>(from.size());
    return traffic.add_later(access(Record::What::put, slot, offset, from.size()), from.as<std::byte>());
  }
  Record record = access(Record::What::put_direct, slot, offset, from.size());
  record.lent.source = from.data();
  if (!is_kept_alive) record.loan = loan_to(to);
  traffic.lend(record, std::move(from));
  if (to != me_) lent_to_.insert(to);
  ++counters_.direct;
}

void World::get(int from, Slot slot, std::size_t offset, std::span<std::byte> to) {
  add_get(from, slot, offset, to, false);
}

void World::hpget(int from, Slot slot, std::size_t offset, std::span<std::byte> to) {
  add_get(from, slot, offset, to, is_accessed_directly(from, to.size()));
}

void World::add_get(int from, Slot slot, std::size_t offset, std::span<std::byte> to, bool is_direct) {
  require_process(from);
  require_slot(slot);
  if (is_phantom_) misuse("a phantom has nothing that could be got; simulate puts");
  Record record = access(is_direct ? Record::What::get_direct : Record::What::get, slot, offset, to.size());
  record.lent.target = to.data();
  Traffic& traffic = traffic_to(from, request_words);
  answers_.push_back({from, to, is_direct});
  if (!is_direct) return traffic.add(record);
  record.loan = loan_to(from);
  traffic.lend(record, Body(loan_, to.data(), to.size()));
  ++counters_.direct;
}

std::size_t World::set_tagsize(std::size_t bytes) {
  require_open();
  ++tag_calls_;
  return std::exchange(next_tag_bytes_, bytes);
}

/// The traffic for a message; checks process and tag size.
Traffic& World::begin_message_to(int process, std::size_t tag_bytes, std::size_t payload_bytes) {
  require_process(process);
  if (tag_bytes != tag_bytes_)
    misuse("a tag of " + std::to_string(tag_bytes) + " bytes is sent where tags have " +
           std::to_string(tag_bytes_) + "; set_tagsize holds from the next sync on");
  if (is_phantom_) misuse("a phantom has no queue; simulate puts");
  counters_.copied_bytes += static_cast<std::int64_t>(payload_bytes);
  return traffic_to(process, words_of(payload_bytes) + words_of(tag_bytes) + 1);
}

void World::send(int to, std::span<const std::byte> tag, std::span<const std::byte> payload) {
  begin_message_to(to, tag.size(), payload.size()).add(message(tag.size(), payload.size()), payload, tag);
}

void World::hpsend(int to, std::span<const std::byte> tag, std::span<const std::byte> payload) {
  begin_message_to(to, tag.size(), payload.size())
      .add_later(message(tag.size(), payload.size()), payload, tag);
}

void World::move(std::span<std::byte> payload) {
  const MessageView message = hpmove();
  const std::size_t bytes = std::min(payload.size(), message.payload.size());
  copy_bytes(message.payload.data(), payload.first(bytes));
  counters_.copied_bytes += static_cast<std::int64_t>(bytes);
}

MessageView World::hpmove() {
  require_open();
  if (queue_.empty()) misuse("the queue is empty; look at queue_size");
  const MessageView message = queue_.front();
  queue_.pop_front();
  queue_bytes_ -= message.payload.size();
  return message;
}

}  // namespace overlapack::comm::superstep
