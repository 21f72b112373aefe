#include "overlapack/channels.hpp"

#include "api/programs/owner.hpp"
#include "api/programs/program.hpp"
#include "base/public_call.hpp"
#include "comm/collective/collective.hpp"

namespace overlapack::channels {
namespace {

Channel::Owner& known(const std::shared_ptr<Channel::Owner>& owner) {
  if (!owner) throw Error(Status::bad_input, "this channel was never created; call Process::create first");
  return *owner;
}

/// Run the program on one rank and return its counts. The rank's channels end with the program.
Counts run_on(comm::Rank& rank, const Options& options, const std::function<void(Process&)>& program) {
  const auto owner = std::make_shared<Channel::Owner>(rank, options);
  struct Forgotten {
    Channel::Owner& owner;
    ~Forgotten() { owner.drop_channels(); }
  } const forgotten{*owner};
  Process process(owner);
  program(process);
  Counts counts = owner->end();
  comm::collective::all_reduce(rank, std::span<Counts>(&counts, 1), sum_of_counts);
  return counts;
}

}  // namespace

bool Channel::can_send() {
  Owner& owner = known(owner_);
  const bool can = owner.require_usable_channel(number_).can_send();
  if (!can) owner.count_skipped(number_);
  return can;
}
void Channel::send(std::span<const std::byte> message) {
  known(owner_).require_usable_channel(number_).send(message);
}
bool Channel::can_recv() { return known(owner_).require_usable_channel(number_).can_recv(); }
bool Channel::recv(std::span<std::byte> message) {
  return known(owner_).require_usable_channel(number_).recv(message);
}
void Channel::wait() { known(owner_).require_usable_channel(number_).wait(); }
void Channel::destroy() { known(owner_).destroy(number_); }
void Channel::start_destroy() { known(owner_).start_destroy(number_); }
Counts Channel::counts() const { return known(owner_).counts(number_); }

int Process::rank() const { return owner_->rank.rank(); }
int Process::ranks() const { return owner_->rank.size(); }
double Process::time() const { return owner_->rank.now(); }
void Process::poll() { owner_->rank.poll(); }

Channel Process::create(int rank, const ChannelOptions& options, std::span<const std::byte> initial) {
  const Channel channel = start_create(rank, options, initial);
  finish_create(channel);
  return channel;
}
Channel Process::start_create(int rank, const ChannelOptions& options, std::span<const std::byte> initial) {
  return {owner_, owner_->start(rank, options, initial)};
}
void Process::finish_create(const Channel& channel) { owner_->finish(channel.number()); }
void Process::make_racy_room(std::size_t bytes) { owner_->make_racy_room(bytes); }

Counts run(const Options& options, const std::function<void(Process&)>& program) {
  return named_call(call::channels, [&] {
    api::check_options_together(options);
    api::Session session = api::open_program(options);
    const int ranks = api::program_ranks(options, session);
    Counts counts;
    session.run([&](comm::Rank& world, int position) {
      const bool is_inside = world.rank() < ranks;
      const std::unique_ptr<comm::Rank> team =
          ranks < world.size() ? world.split(is_inside ? 0 : 1, world.rank()) : nullptr;
      Counts mine;
      if (is_inside) mine = run_on(team ? *team : world, options, program);
      const Counts all = api::broadcast_from_root(world, mine);
      if (position == 0) counts = all;
      comm::collective::barrier(world);  // no rank reuses a lane before all have ended
    });
    return counts;
  });
}

}  // namespace overlapack::channels
