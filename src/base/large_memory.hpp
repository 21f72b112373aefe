#pragma once
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace overlapack {

constexpr std::size_t round_up(std::size_t x, std::size_t unit) { return (x + unit - 1) / unit * unit; }

/// Size of a huge page of Linux: on x86-64 and, with pages of 4 KiB, on aarch64.
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
/// Large requests are rounded up to multiples of this.
constexpr std::size_t large_unit = std::size_t{16} << 10;
/// Smaller requests go to the heap.
constexpr std::size_t least_large_bytes = std::size_t{64} << 10;
/// Most freed bytes that the process keeps for later requests.
constexpr std::size_t waiting_bytes_at_most = std::size_t{64} << 20;

enum class Pages { huge, small };  ///< small: for memory of which little will be written

/// From when on memory counts as used: from its allocation, or as its holder counts it (count_large_use).
enum class Use { at_once, as_counted };

/// Mapped memory for large, short-lived blocks: one factorisation frees it, the next one reuses it. Freed memory is joined with its free
/// neighbours and cut to any size, since contribution blocks grow from front to front. It is kept by NUMA node. The system needs
/// microseconds to find and clear a page, and longer where several threads ask: that was half of a factorisation of milliseconds on two
/// ranks. (The heap keeps freed memory of one thread only.)
struct LargeMemory {
  std::byte* data = nullptr;
  std::size_t bytes = 0;  ///< rounded_large_bytes() of the request
  bool is_zero = false;   ///< freshly mapped: all zeros
};

/// Bytes that a request is rounded up to.
std::size_t rounded_large_bytes(std::size_t bytes);
/// At least `bytes` >= least_large_bytes, aligned to a page; data is null where the system refuses. Small pages are never reused.
LargeMemory allocate_large(std::size_t bytes, Pages pages = Pages::huge, Use use = Use::at_once);
/// bytes: LargeMemory::bytes of that memory.
void free_large(std::byte* data, std::size_t bytes, Pages pages = Pages::huge,
                Use use = Use::at_once) noexcept;
/// So many more bytes of memory with Use::as_counted are in use. Freed memory that waits goes back to the system for them.
void count_large_use(std::size_t bytes);
/// So many fewer.
void discount_large_use(std::size_t bytes) noexcept;

/// Allocator that uses LargeMemory for large vectors. A sweep over 256^3 points is 1.1 times as fast on huge pages: fewer TLB
/// misses, and prefetching does not stop at each 4 KiB.
template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}
  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < least_large_bytes) return static_cast<T*>(::operator new(bytes));
    const LargeMemory memory = allocate_large(bytes);
    if (!memory.data) throw std::bad_alloc();
    return reinterpret_cast<T*>(memory.data);
  }
  void deallocate(T* data, std::size_t count) noexcept {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < least_large_bytes)
      ::operator delete(data);
    else
      free_large(reinterpret_cast<std::byte*>(data), rounded_large_bytes(bytes));
  }
  template <class U>
  bool operator==(const LargeAllocator<U>&) const {
    return true;
  }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

/// Leaves new numbers uninitialised: for those that are written before they are read, perhaps by several threads.
template <class T>
struct UnsetAllocator : LargeAllocator<T> {
  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  UnsetAllocator() = default;
  template <class U>
  UnsetAllocator(const UnsetAllocator<U>&) {}
  template <class U>
  void construct(U* at) noexcept {
    if constexpr (!std::is_trivially_copyable_v<U> || !std::is_trivially_destructible_v<U>)
      ::new (static_cast<void*>(at)) U;  // complex numbers would be set to zero
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
};

template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace overlapack
