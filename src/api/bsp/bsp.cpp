#include "overlapack/bsp.hpp"

#include "api/plan/prepare.hpp"
#include "api/run/session.hpp"
#include "base/public_call.hpp"
#include "comm/superstep/world.hpp"

#include <limits>
#include <numeric>

namespace overlapack::bsp {
namespace {

comm::superstep::Slot inner(Slot slot) { return {slot.number}; }
MessageView outer(const comm::superstep::MessageView& message) { return {message.tag, message.payload}; }

/// A session of all processes that were started, or of the threads of a program.
api::Session open_session(const Options& options) {
  const bool has_processes = api::ranks_are_processes(options);
  return {options, has_processes ? 0 : api::choose_ranks(options, std::numeric_limits<double>::infinity())};
}

/// The ranks that are the processes of a program.
std::vector<int> program_ranks(const Options& options, int ranks) {
  if (options.ranks > ranks)
    throw Error(Status::bad_plan, std::to_string(options.ranks) + " ranks were asked for, but MPI has " +
                                      std::to_string(ranks) + "; start more with mpirun -n");
  std::vector<int> first(static_cast<std::size_t>(options.ranks > 0 ? options.ranks : ranks));
  std::iota(first.begin(), first.end(), 0);
  return first;
}

}  // namespace

int World::process() const { return world_.process(); }
int World::processes() const { return world_.processes(); }
std::int64_t World::superstep() const { return world_.superstep(); }
double World::time() const { return world_.rank().now(); }

Slot World::push_reg(std::span<std::byte> memory) { return {world_.push_reg(memory).number}; }
void World::pop_reg(Slot slot) { world_.pop_reg(inner(slot)); }
Slot World::slot_of(const void* begin) const { return {world_.slot_of(begin).number}; }
Slot World::area_at(const void* begin) const { return {world_.area_at(begin).number}; }
void World::pop_area(const void* begin) { world_.pop_area(begin); }

void World::put(int to, std::span<const std::byte> from, Slot slot, std::size_t offset) {
  world_.put(to, from, inner(slot), offset);
}
void World::hpput(int to, std::span<const std::byte> from, Slot slot, std::size_t offset) {
  world_.hpput(to, from, inner(slot), offset);
}
void World::get(int from, Slot slot, std::size_t offset, std::span<std::byte> to) {
  world_.get(from, inner(slot), offset, to);
}
void World::hpget(int from, Slot slot, std::size_t offset, std::span<std::byte> to) {
  world_.hpget(from, inner(slot), offset, to);
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
  return message ? outer(*message) : MessageView{};
}
void World::move(std::span<std::byte> payload) { world_.move(payload); }
MessageView World::hpmove() { return outer(world_.hpmove()); }

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
    api::check_together(options);
    Cost cost;
    api::Session session = open_session(options);
    const std::vector<int> ranks = program_ranks(options, session.ranks());
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
    api::check_together(options);
    return open_session(options).ranks();
  });
}

}  // namespace overlapack::bsp
