#pragma once
#include "comm/engine/mpi/plugin/mpi.hpp"

#include <cstdint>
#include <map>
#include <sys/mman.h>
#include <vector>

namespace overlapack::comm::mpi::plugin {

/// Memory from which headers are sent with bytes behind them that are nowhere: the simulator copies only the first page, all
/// others are those of one file. Given back, it serves any rank of this process.
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
    auto* memory = static_cast<char*>(SMPI_PARTIAL_SHARED_MALLOC(shared[1], shared, 1));
    madvise(memory + page_bytes, shared[1] - page_bytes, MADV_DONTNEED);  // nobody looks at it
    return memory;
  }

  std::map<int, std::vector<char*>> free_;
};

}  // namespace overlapack::comm::mpi::plugin
