#pragma once
#include "base/large_memory.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace overlapack {

/// Memory that is handed out from the front and given back all at once: factors live here. Reserves address space
/// by chunks, small ones of the heap, never moves what it handed out. New pages take no memory until they are written.
class Arena {
 public:
  /// `expected_bytes` sizes the first chunk; later chunks follow as needed.
  explicit Arena(std::size_t expected_bytes = 0, Pages pages = Pages::huge);
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;

  /// What a request takes: whole cache lines where it has several, less waste between small things.
  static constexpr std::size_t room_for(std::size_t bytes) {
    const std::size_t unit = alignment_of(bytes);
    return (bytes + unit - 1) / unit * unit;
  }
  /// Zeroed room for `count` values of T, aligned to 64 bytes, to 16 where it has less than 512. Throws
  /// Error(out_of_memory) naming the bytes.
  template <class T>
  T* zeros(std::size_t count) {
    return static_cast<T*>(take(count * sizeof(T)));
  }

  /// The same, but what the room holds is of no account: for what is written before it is read.
  template <class T>
  T* unset(std::size_t count) {
    return static_cast<T*>(take(count * sizeof(T), false));
  }

  std::size_t used_bytes() const { return used_; }
  /// Address space that the system gave: does not grow while clear() and the same requests alternate.
  std::size_t reserved_bytes() const;
  /// Forget everything handed out but keep the chunks: the next use needs no new memory from the system.
  void clear();

 private:
  struct GiveBack {
    std::size_t bytes = 0;
    Pages pages = Pages::huge;
    void operator()(std::byte* p) const noexcept;
  };
  struct Chunk {
    std::unique_ptr<std::byte, GiveBack> data;
    std::size_t bytes = 0;
    std::size_t dirty = 0;  ///< bytes from the front that may be non-zero
  };

  static constexpr std::size_t alignment_of(std::size_t bytes) { return bytes < 512 ? 16 : 64; }
  void* take(std::size_t bytes, bool is_zeroed = true);
  void add_chunk(std::size_t bytes);

  Pages pages_;
  std::vector<Chunk> chunks_;
  std::size_t current_ = 0;  ///< chunk that hands out now
  std::size_t offset_ = 0;   ///< within it
  std::size_t used_ = 0;
};

}  // namespace overlapack
