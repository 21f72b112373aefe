#include "comm/engine/mpi/plugin/simulated_windows.hpp"

#include "comm/engine/mpi/load/simulated_machine.hpp"
#include "comm/engine/mpi/plugin/calls.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <simgrid/actor.h>
#include <simgrid/host.h>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Host.hpp>
#include <utility>

namespace overlapack::comm::mpi::plugin {

namespace {

using Access = SimulatedWindow::Access;
using Part = SimulatedWindow::Part;

Part& my_part(OverlapackWindow number) { return part_of(number, state().windows[number].me); }

OnesidedTime onesided_costs() {
  const auto* machine = SimulatedMachine::of_this_run();
  return machine ? machine->onesided() : OnesidedTime{};
}

/// Let this rank's processor be busy for `seconds`.
void let_time_pass(double seconds) {
  if (seconds > 0) sg_actor_sleep_for(seconds * state().slowness);
}

simgrid::s4u::CommPtr start_transfer(simgrid::s4u::Host* from, simgrid::s4u::Host* to, std::int64_t bytes) {
  auto transfer = simgrid::s4u::Comm::sendto_init(from, to);
  transfer->set_payload_size(static_cast<std::uint64_t>(bytes));
  transfer->start();
  return transfer;
}

template <class Copy>
void for_each_block(const OverlapackStrides& at, Copy copy) {
  for (std::int64_t i = 0; i < at.blocks; ++i)
    copy(at.offset + i * at.stride_bytes, i * at.block_bytes, static_cast<std::size_t>(at.block_bytes));
}

int open_window(OverlapackComm number, void* memory, bool is_mine, OverlapackWindow* window) {
  using Shared = std::shared_ptr<SimulatedWindow>;
  const MPI_Comm comm = state().comms[number];
  int rank = 0, size = 1, me = 0, everybody = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &everybody);
  const int name = me + everybody * state().windows_made++;  // that of the communicator's rank 0 is used
  Shared* first = rank == 0 ? new Shared(std::make_shared<SimulatedWindow>(name, size)) : nullptr;
  MPI_Bcast(static_cast<void*>(&first), sizeof(void*), MPI_BYTE, 0, comm);
  const Shared all = *first;
  Part& part = all->at(rank);
  part.host = simgrid::s4u::this_actor::get_host();
  part.rank = me;
  part.memory = static_cast<char*>(memory);
  part.is_mine = is_mine;
  part.under_way.resize(static_cast<std::size_t>(size));
  auto free = std::ranges::find(state().windows, nullptr, &Window::all);
  *window = static_cast<OverlapackWindow>(free - state().windows.begin());
  if (free == state().windows.end()) free = state().windows.emplace(free);
  *free = {all, rank};
  if (state().signals < 0)
    if (const int code = expect_signal(); code != MPI_SUCCESS) return code;
  const int code = MPI_Barrier(comm);  // all have copied the shared pointer
  if (rank == 0) delete first;
  return code;
}

std::shared_ptr<SimulatedWindow::Words> stored_words(std::int64_t offset, std::int64_t bytes,
                                                     const void* from) {
  const auto* const begin = static_cast<const char*>(from);
  auto words = std::make_shared<SimulatedWindow::Words>();
  words->offset = offset;
  words->bytes.assign(begin, begin + bytes);
  return words;
}

/// Whether a transfer has ended and its bytes have come over the wire.
bool has_arrived(simgrid::s4u::Comm& transfer) {
  return transfer.test() && clock_s() >= transfer.get_finish_time() + onesided_costs().wire_s;
}

void apply_stored_words(const Part& there, SimulatedWindow::Words& words) {
  if (std::exchange(words.is_there, true)) return;
  if (!words.bytes.empty()) std::memcpy(there.memory + words.offset, words.bytes.data(), words.bytes.size());
  if (words.source >= 0) std::memcpy(there.memory + words.flag, &words.value, sizeof words.value);
}

/// Write to this rank's memory the words that others have stored and that have arrived by now.
void apply_arrived_words(Part& here) {
  std::vector<std::shared_ptr<SimulatedWindow::Words>> coming = std::exchange(here.coming, {}), later;
  std::vector<int> late;  // whose earlier puts are still under way
  for (auto& stored : coming) {
    const bool is_behind = stored->source >= 0 && std::ranges::find(late, stored->source) != late.end();
    if (!is_behind && (stored->is_there || has_arrived(*stored->transfer))) {
      apply_stored_words(here, *stored);
      continue;
    }
    if (stored->source >= 0 && !is_behind) late.push_back(stored->source);
    later.push_back(std::move(stored));
  }
  // others have added to it while a test let them run
  here.coming.insert(here.coming.begin(), std::make_move_iterator(later.begin()),
                     std::make_move_iterator(later.end()));
}

/// Complete one access of this rank: a get waits for the request's way to the target, too, and copies the data; a put waits for its
/// acknowledgement if is_known.
void complete_access(OverlapackWindow number, int target, const Access& access, bool is_known) {
  const Part &there = part_of(number, target), &here = my_part(number);
  access.transfer->wait();
  double way_s = onesided_costs().wire_s;
  if (is_known || access.is_get)
    way_s += onesided_costs().wire_s + sg_host_get_route_latency(here.host, there.host);
  if (const double left_s = access.transfer->get_finish_time() + way_s - clock_s(); left_s > 0)
    sg_actor_sleep_for(left_s);
  if (access.words) apply_stored_words(there, *access.words);
  if (access.to)
    for_each_block(access.at, [&](std::int64_t at, std::int64_t to, std::size_t bytes) {
      std::memcpy(static_cast<char*>(access.to) + to, there.memory + at, bytes);
    });
}

/// Let the time pass for `bytes` to travel to the target and back; blocks meanwhile.
void let_round_trip_pass(OverlapackWindow number, int target, std::int64_t bytes) {
  let_time_pass(onesided_costs().put_s);
  if (target == state().windows[number].me) return;
  simgrid::s4u::Host *const here = my_part(number).host, *const there = part_of(number, target).host;
  start_transfer(here, there, bytes)->wait();
  start_transfer(there, here, bytes)->wait();
  if (const double wires_s = 2 * onesided_costs().wire_s; wires_s > 0) sg_actor_sleep_for(wires_s);
}

}  // namespace

SimulatedWindow::Part& part_of(OverlapackWindow number, int position) {
  return state().windows[number].all->at(position);
}

void complete_all(OverlapackWindow number, int target, bool is_known) {
  auto& accesses = my_part(number).under_way[static_cast<std::size_t>(target)];
  for (const Access& access : std::exchange(accesses, {})) complete_access(number, target, access, is_known);
}

int allocate_window(OverlapackComm comm, std::int64_t bytes, int, void** memory, OverlapackWindow* number) {
  constexpr std::size_t line = 64;  // of a cache
  const std::size_t whole_lines = (static_cast<std::size_t>(bytes) / line + 1) * line;
  *memory = std::aligned_alloc(line, whole_lines);
  if (!*memory) return MPI_ERR_NO_MEM;
  std::memset(*memory, 0, whole_lines);
  return open_window(comm, *memory, true, number);
}

int attach_window(OverlapackComm comm, void* memory, std::int64_t, OverlapackWindow* number) {
  return open_window(comm, memory, false, number);
}

/// The receive of signals stays: one may be on its way into it that nobody waits for, and a cancel would make it fail.
int free_window(OverlapackWindow window) {
  state().windows[window] = {};
  return MPI_SUCCESS;
}

int shared_memory(OverlapackWindow, int, void** memory) {
  *memory = nullptr;  // not offered, as loads and stores would take no simulated time
  return MPI_SUCCESS;
}

int put(OverlapackWindow window, int target, const OverlapackStrides* at, const void* from) {
  Part &there = part_of(window, target), &here = my_part(window);
  let_time_pass(onesided_costs().put_s);
  if (from && there.memory)
    for_each_block(*at, [&](std::int64_t to, std::int64_t here_at, std::size_t bytes) {
      std::memcpy(there.memory + to, static_cast<const char*>(from) + here_at, bytes);
    });
  here.under_way[static_cast<std::size_t>(target)].push_back(
      {start_transfer(here.host, there.host, at->blocks * at->block_bytes), *at, false, nullptr});
  return MPI_SUCCESS;
}

int get(OverlapackWindow window, int target, const OverlapackStrides* at, void* to) {
  Part &there = part_of(window, target), &here = my_part(window);
  let_time_pass(onesided_costs().get_s);
  here.under_way[static_cast<std::size_t>(target)].push_back(
      {start_transfer(there.host, here.host, at->blocks * at->block_bytes), *at, true,
       there.memory ? to : nullptr});
  return MPI_SUCCESS;
}

int flush(OverlapackWindow window, int target) {
  const int ranks = static_cast<int>(my_part(window).under_way.size());
  for (int t = 0; t < ranks; ++t)
    if (target < 0 || target == t) complete_all(window, t, true);
  return MPI_SUCCESS;
}

int fetch_add(OverlapackWindow window, int target, std::int64_t offset, const std::int64_t* add,
              std::int64_t* before) {
  let_round_trip_pass(window, target, sizeof *add);
  auto& word = *reinterpret_cast<std::int64_t*>(part_of(window, target).memory + offset);
  *before = std::exchange(word, word + *add);
  return MPI_SUCCESS;
}

int store_words(OverlapackWindow window, int target, std::int64_t offset, std::int64_t words, int word_bytes,
                const void* from) {
  Part &there = part_of(window, target), &here = my_part(window);
  let_time_pass(onesided_costs().put_s);
  auto stored = stored_words(offset, words * word_bytes, from);
  stored->transfer = start_transfer(here.host, there.host, words * word_bytes);
  here.under_way[static_cast<std::size_t>(target)].push_back({.transfer = stored->transfer, .words = stored});
  there.coming.push_back(std::move(stored));
  return MPI_SUCCESS;
}

int load_words(OverlapackWindow window, int, std::int64_t offset, std::int64_t words, int word_bytes,
               void* to) {
  Part& here = my_part(window);
  apply_arrived_words(here);
  std::memcpy(to, here.memory + offset, static_cast<std::size_t>(words * word_bytes));
  return MPI_SUCCESS;
}

/// Only one rank runs at a time, so that what has arrived is all there is to see.
int synchronise(OverlapackWindow window) {
  apply_arrived_words(my_part(window));
  return MPI_SUCCESS;
}

/// A put and, behind a fence, a store, as OpenSHMEM has them: two calls of the sender, one transfer.
int put_flag(OverlapackWindow window, int target, std::int64_t offset, std::int64_t bytes, const void* from,
             std::int64_t flag, std::int64_t value) {
  Part &there = part_of(window, target), &here = my_part(window);
  let_time_pass((bytes > 0 ? 2 : 1) * onesided_costs().put_s);
  auto stored = stored_words(offset, bytes, from);
  stored->source = state().windows[window].me;
  stored->flag = flag;
  stored->value = value;
  stored->transfer = start_transfer(here.host, there.host, bytes + std::int64_t{sizeof value});
  there.coming.push_back(std::move(stored));
  return MPI_SUCCESS;
}

}  // namespace overlapack::comm::mpi::plugin
