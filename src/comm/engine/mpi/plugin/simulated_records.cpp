#include "comm/engine/mpi/plugin/state.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <simgrid/s4u/Actor.hpp>

namespace overlapack::comm::mpi::plugin {

// Workaround for SimGrid 3.32: a message completed by a test is never removed from the actor's list of activities; only waits
// remove entries, and each searches the whole list. With 7,000 messages a rank that was four fifths of a simulation's time. Only
// killing an actor needs the list, as requests hold their activities, too. So it is cleared when it has grown. No header declares
// its offset: it is found by posting a receive, by which the list grows, and cancelling it. Where nothing matches (another
// version), nothing is done.

namespace {

constexpr std::size_t most_records = 32;
constexpr std::size_t words_of_actor = 40;  ///< less than an ActorImpl has
using Words = std::array<std::uintptr_t, words_of_actor>;
using Node = std::array<std::uintptr_t, 3>;  ///< next, previous, content; of the list itself: size

Words words_of(const void* actor) {
  Words words;
  std::memcpy(words.data(), actor, sizeof words);
  return words;
}

/// Whether a std::list lies at `position`: the last node's `next` points back to the list.
bool is_list(std::uintptr_t position, const Words& words, std::size_t first) {
  const std::uintptr_t last = words[first + 1];
  return last % alignof(Node) == 0 && last > 4096 && last != position &&
         std::bit_cast<const Node*>(last)->front() == position;
}

}  // namespace

void find_activity_records() {
  void* const actor = simgrid::s4u::Actor::self()->get_impl();
  const Words before = words_of(actor);
  MPI_Request request = MPI_REQUEST_NULL;
  if (MPI_Irecv(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &request) != MPI_SUCCESS) return;
  const Words after = words_of(actor);
  for (std::size_t i = 0; i + 2 < words_of_actor && !state().records; ++i) {
    auto* const position = static_cast<std::byte*>(actor) + i * sizeof(std::uintptr_t);
    const bool has_grown = after[i + 2] == before[i + 2] + 1 && after[i + 1] != before[i + 1];
    if (has_grown && is_list(std::bit_cast<std::uintptr_t>(position), after, i))
      state().records = reinterpret_cast<Records*>(position);
  }
  int index = 0, done = 0;
  if (MPI_Cancel(&request) == MPI_SUCCESS) MPI_Testany(1, &request, &index, &done, MPI_STATUS_IGNORE);
}

void clear_activity_records() {
  if (state().records && state().records->size() > most_records) state().records->clear();
}

}  // namespace overlapack::comm::mpi::plugin
