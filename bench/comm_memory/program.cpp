/// What one rank keeps of its team, on the simulated engine: bytes behind the opening, and inside of a run in which each rank has exchanged
/// messages with each other one on two lanes. Run by memory.py on more and more ranks. Of the simulator's own memory nothing is counted.
#include "comm/collective/collective.hpp"
#include "comm/receive.hpp"
#include "comm/team.hpp"

#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <vector>

namespace {

long live = 0;  ///< bytes; each rank of the simulator has a copy of this program

void* counted(void* memory) {
  if (!memory) throw std::bad_alloc();
  live += static_cast<long>(malloc_usable_size(memory));
  return memory;
}

void discounted(void* memory) noexcept {
  if (memory) live -= static_cast<long>(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(std::malloc(bytes)); }
void* operator new[](std::size_t bytes) { return counted(std::malloc(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t at) {
  const auto alignment = static_cast<std::size_t>(at);
  return counted(std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t at) { return operator new(bytes, at); }
void operator delete(void* memory) noexcept { discounted(memory); }
void operator delete[](void* memory) noexcept { discounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { discounted(memory); }
void operator delete[](void* memory, std::size_t) noexcept { discounted(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { discounted(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { discounted(memory); }

using namespace overlapack::comm;

/// Round by round, so that few messages are under way at once.
void exchange_with_all(Rank& rank, Lane lane) {
  const int p = rank.size(), me = rank.rank();
  for (int i = 1; i < p; ++i) {
    rank.start_send(lane, (me + i) % p, {}, {});
    receive(rank, lane, (me + p - i) % p);
  }
}

[[gnu::visibility("default")]] int main(int, char**) {  // the simulator looks it up
  const long before = live;
  const auto team = open({.engine = "smpi", .ranks = 0, .watchdog_s = 0});
  const long opened = live;
  team->run([&](Rank& rank) {
    for (const Lane lane : {Lane::collective, Lane::bulk}) exchange_with_all(rank, lane);
    collective::barrier(rank);
    if (rank.rank() == rank.size() / 2)
      std::printf("%d %ld %ld\n", rank.size(), opened - before, live - before);
  });
}
