#pragma once
#include "base/large_memory.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace overlapack {

/// Bump allocator for factors: hands out memory upwards, frees all of it at once, never moves an allocation. It reserves address
/// space in chunks (small chunks come from the heap); a new page uses no memory until something is written to it.
class Arena {
  static constexpr std::size_t short_alignment = 16, long_alignment = 64;

 public:
  /// `expected_bytes` sizes the first chunk; later chunks follow as needed.
  explicit Arena(std::size_t expected_bytes = 0, Pages pages = Pages::huge);
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;

  /// Bytes that a request occupies: `bytes` rounded up to a multiple of 64, or of 16 for a request of less than 512 bytes.
  static constexpr std::size_t room_for(std::size_t bytes) {
    const std::size_t unit = alignment_of(bytes);
    return (bytes + unit - 1) / unit * unit;
  }
  /// The most bytes that the arena skips before an allocation in order to align it.
  static constexpr std::size_t most_padding_bytes = long_alignment - short_alignment;
  /// Return zeroed memory for `count` values of T, aligned to 64 bytes, or to 16 if it is less than 512 bytes. Throws
  /// Error(out_of_memory) naming the bytes.
  template <class T>
  T* zeros(std::size_t count) {
    return static_cast<T*>(take(count * sizeof(T)));
  }

  /// As zeros(), but uninitialised: for values that the caller writes before it reads them.
  template <class T>
  T* unset(std::size_t count) {
    return static_cast<T*>(take(count * sizeof(T), false));
  }

  std::size_t used_bytes() const { return used_; }
  /// Bytes of address space in all chunks: does not grow while clear() and the same requests alternate.
  std::size_t reserved_bytes() const;
  /// Free all allocations but keep the chunks: the next use needs no new memory from the system.
  void clear();

 private:
  struct GiveBack {
    std::size_t bytes = 0;
    Pages pages = Pages::huge;
    /// Bytes reported as used to count_large_use(); 0 for small pages and the heap
    std::size_t counted = 0;
    void operator()(std::byte* p) const noexcept;
  };
  struct Chunk {
    std::unique_ptr<std::byte, GiveBack> data;
    std::size_t bytes = 0;
    std::size_t dirty = 0;  ///< bytes from the front that may be non-zero
  };

  static constexpr std::size_t alignment_of(std::size_t bytes) {
    return bytes < 512 ? short_alignment : long_alignment;
  }
  void* take(std::size_t bytes, bool is_zeroed = true);
  void add_chunk(std::size_t bytes);
  /// Report to count_large_use() the huge pages of this chunk that allocations have reached since the last call.
  static void count_use(Chunk& chunk);

  Pages pages_;
  std::vector<Chunk> chunks_;
  std::size_t current_ = 0;  ///< index of the chunk that is allocated from
  std::size_t offset_ = 0;   ///< within it
  std::size_t used_ = 0;
};

}  // namespace overlapack
