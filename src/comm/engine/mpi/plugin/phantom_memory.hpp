#pragma once
#include "comm/engine/mpi/plugin/mpi.hpp"

#include <cstdint>
#include <map>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace overlapack::comm::mpi::plugin {

/// Pool of send buffers for messages with a header and a body without content: the simulator copies only the first page, and no
/// rank reads the others. Shared by all simulated ranks.
class PhantomMemory {
 public:
  struct Piece {
    char* memory;
    int size_class;
  };

  Piece take(std::int64_t bytes) {
    int size_class = 0;
    while (bytes_of(size_class) < bytes) ++size_class;
    auto& free = free_[size_class];
    if (free.empty()) return {allocate(bytes_of(size_class)), size_class};
    const Piece piece{free.back(), size_class};
    free.pop_back();
    return piece;
  }
  void give_back(const Piece& piece) { free_[piece.size_class].push_back(piece.memory); }

 private:
  static constexpr std::size_t page_bytes = 4096;
  static std::int64_t bytes_of(int size_class) { return std::int64_t{1} << (23 + size_class); }

  static char* allocate(std::int64_t bytes) {
    const std::size_t shared[2] = {page_bytes, static_cast<std::size_t>(bytes)};
    void* memory = SMPI_PARTIAL_SHARED_MALLOC(shared[1], shared, 1);
    // It maps a file behind the first page, and Linux allows 65,530 mappings: hundreds of ranks with tens of messages under way
    // each need more. Remapped as plain memory, adjacent pieces become one mapping.
    memory = mmap(memory, shared[1], PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    madvise(memory, shared[1], MADV_NOHUGEPAGE);  // one page of each piece is written
    return static_cast<char*>(memory);
  }

  std::map<int, std::vector<char*>> free_;
};

}  // namespace overlapack::comm::mpi::plugin
