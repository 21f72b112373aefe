#pragma once
#include "base/fenced.hpp"
#include "base/large_memory.hpp"
#include "overlapack/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace overlapack {

/// Deleter of a Block: by its size the memory came from the heap or from LargeMemory.
struct FreeMemory {
  std::size_t bytes = 0;
  void operator()(std::byte* p) const noexcept {
    if (bytes < least_large_bytes)
      std::free(p);
    else
      free_large(p, bytes);
  }
};

/// A block of raw memory with its size; its holder owns it.
struct Block {
  std::unique_ptr<std::byte, FreeMemory> data;
  std::size_t bytes = 0;

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data.get());
  }
};

/// Allocates contribution blocks and keeps returned ones for later requests of about their size. The block returned last is
/// handed out first, since it is still in the caches. The kept blocks together are at most as large as the largest block returned
/// so far, and at most most_kept_bytes. Other returned blocks are freed; large ones go to LargeMemory, which joins neighbours.
/// The size classes are 1/8 of a power of two apart; a request may also get a block up to four classes larger. A pool belongs to
/// one rank; any thread may free a block.
class BlockPool {
 public:
  /// About the size of a core's private caches
  static constexpr std::size_t most_kept_bytes = std::size_t{2} << 20;

  /// At least `bytes` of uninitialised memory, aligned to 64 bytes if it is 512 bytes or more, else to 16.
  Block allocate(std::size_t bytes) {
    // aligned_alloc requires multiples of the alignment
    const std::size_t c = size_class((bytes + 15) / 16 * 16);
    for (std::size_t k = c; kept_ > 0 && k < std::min(c + loose_classes + 1, free_.size()); ++k) {
      if (free_[k].empty()) continue;
      Block block = std::move(free_[k].back());
      free_[k].pop_back();
      kept_ -= block.bytes;
      unpoison_memory(block.data.get(), bytes);
      return block;
    }
    const std::size_t size = class_bytes(c);
    LargeMemory memory{.bytes = size};
    if (size < least_large_bytes)
      memory.data = static_cast<std::byte*>(std::aligned_alloc(size < 512 ? 16 : 64, size));
    else
      memory = allocate_large(size);
    if (memory.data == nullptr)
      throw Error(Status::out_of_memory,
                  "the system refused " + std::to_string(size) +
                      " bytes for a contribution block: use fewer ranks or a machine with more memory");
    poison_memory(memory.data + bytes, memory.bytes - bytes);
    return {std::unique_ptr<std::byte, FreeMemory>(memory.data, FreeMemory{memory.bytes}), size};
  }

  /// Return a block that a pool allocated.
  void put_back(Block block) {
    if (!block.data) return;
    largest_ = std::max(largest_, block.bytes);
    if (kept_ + block.bytes > std::min(largest_, most_kept_)) return;
    const std::size_t c = size_class(block.bytes);
    if (c >= free_.size()) free_.resize(c + 1);
    kept_ += block.bytes;
    poison_memory(block.data.get(), block.bytes);
    free_[c].push_back(std::move(block));
  }

  /// Free every returned block at once from now on: for ranks that have little memory.
  void keep_nothing() { most_kept_ = 0; }
  /// Bytes of the blocks kept for reuse.
  std::size_t kept_bytes() const { return kept_; }
  void clear() {
    for (std::vector<Block>& blocks : free_) blocks.clear();
    kept_ = 0;
  }

 private:
  static constexpr std::size_t smallest = 64;
  static constexpr std::size_t loose_classes = 4;
  /// Class 8 (e - 6) + q holds blocks of 2^e (1 + q/8) bytes, rounded up from the request.
  static std::size_t size_class(std::size_t bytes) {
    if (bytes <= smallest) return 0;
    const int e = 63 - __builtin_clzll(bytes);
    const std::size_t base = std::size_t{1} << e;
    const std::size_t eighth = base / 8;
    return 8 * static_cast<std::size_t>(e - 6) + (bytes - base + eighth - 1) / eighth;
  }
  static std::size_t class_bytes(std::size_t c) {
    const std::size_t base = smallest << (c / 8);
    return base + base / 8 * (c % 8);
  }

  std::vector<std::vector<Block>> free_;
  std::size_t kept_ = 0, largest_ = 0, most_kept_ = most_kept_bytes;  ///< bytes
};

}  // namespace overlapack
