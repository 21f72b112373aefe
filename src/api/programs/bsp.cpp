#include "overlapack/bsp.hpp"

#include "api/programs/program.hpp"
#include "base/public_call.hpp"
#include "comm/superstep/world.hpp"

#include <numeric>

namespace overlapack::bsp {
namespace {

comm::superstep::Slot inner_slot(Slot slot) { return {slot.number}; }
MessageView outer_message(const comm::superstep::MessageView& message) {
  return {message.tag, message.payload};
}

/// The ranks of the session that run the program.
std::vector<int> ranks_of(const Options& options, const api::Session& session) {
  std::vector<int> first(static_cast<std::size_t>(api::program_ranks(options, session)));
  std::iota(first.begin(), first.end(), 0);
  return first;
}

}  // namespace

int World::process() const { return world_.process(); }
int World::processes() const { return world_.processes(); }
std::int64_t World::superstep() const { return world_.superstep(); }
double World::time() const { return world_.rank().now(); }

Slot World::push_reg(std::span<std::byte> memory) { return {world_.push_reg(memory).number}; }
void World::pop_reg(Slot slot) { world_.pop_reg(inner_slot(slot)); }
Slot World::slot_of(const void* begin) const { return {world_.slot_of(begin).number}; }
Slot World::area_at(const void* begin) const { return {world_.area_at(begin).number}; }
void World::pop_area(const void* begin) { world_.pop_area(begin); }

void World::put(int to, std::span<const std::byte> from, Slot slot, std::size_t offset) {
  world_.put(to, from, inner_slot(slot), offset);
}
void World::hpput(int to, std::span<const std::byte> from, Slot slot, std::size_t offset) {
  world_.hpput(to, from, inner_slot(slot), offset);
}
void World::get(int from, Slot slot, std::size_t offset, std::span<std::byte> to) {
  world_.get(from, inner_slot(slot), offset, to);
}
void World::hpget(int from, Slot slot, std::size_t offset, std::span<std::byte> to) {
  world_.hpget(from, inner_slot(slot), offset, to);
}

std::size_t World::set_tagsize(std::size_t bytes) { return world_.set_tagsize(bytes); }
void World::send(int to, std::span<const std::byte> tag, std::span<const std::byte> payload) {
  world_.send(to, tag, payload);
}
void World::hpsend(int to, std::span<const std::byte> tag, std::span<const std::byte> payload) {
  world_.hpsend(to, tag, payload);
}
QueueSize World::queue_size() const {
  const comm::superstep::QueueSize size = world_.queue_size();
  return {size.messages, size.bytes};
}
MessageView World::front() const {
  const comm::superstep::MessageView* const message = world_.front();
  return message ? outer_message(*message) : MessageView{};
}
void World::move(std::span<std::byte> payload) { world_.move(payload); }
MessageView World::hpmove() { return outer_message(world_.hpmove()); }

void World::sync() { world_.sync(); }
void World::start_sync() { world_.start_sync(); }
void World::finish_sync() { world_.finish_sync(); }
void World::sync_known(std::span<const int> senders) { world_.sync_known({senders.begin(), senders.end()}); }
void World::start_sync_known(std::span<const int> senders) {
  world_.start_sync_known({senders.begin(), senders.end()});
}
bool World::is_ready() {
  world_.rank().poll();
  return world_.is_ready();
}

Cost run(const Options& options, const std::function<void(World&)>& program) {
  return named_call(call::bsp, [&]() -> Cost {
    api::check_options_together(options);
    Cost cost;
    api::Session session = api::open_program(options);
    const std::vector<int> ranks = ranks_of(options, session);
    session.run([&](comm::Rank& rank, int position) {
      if (rank.rank() < std::ssize(ranks)) {
        comm::superstep::World inside(rank, {}, ranks);
        World world(inside);
        program(world);
        inside.end();
        if (position == 0) {
          const auto& [work_s, words, supersteps, messages] = inside.cost();
          const auto& line = inside.cost_line();
          cost = {work_s, words, supersteps, line.word_s(), line.synchronisation_s()};
        }
      }
      comm::collective::barrier(rank);  // no rank reuses the lane before all have ended
    });
    return cost;
  });
}

int available_processes(const Options& options) {
  return public_call(call::bsp, [&] {
    api::check_options_together(options);
    return api::open_program(options).ranks();
  });
}

}  // namespace overlapack::bsp
