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
/// Sizes of large requests are rounded up to multiples of this.
constexpr std::size_t large_unit = std::size_t{16} << 10;
/// Smaller requests go to the heap.
constexpr std::size_t least_large_bytes = std::size_t{64} << 10;
/// The most freed bytes that the process keeps for later requests.
constexpr std::size_t waiting_bytes_at_most = std::size_t{64} << 20;

enum class Pages { huge, small };  ///< small: for memory of which the holder will write only a small part

/// When memory counts as used: all of it from its allocation on, or bit by bit as its holder calls count_large_use().
enum class Use { at_once, as_counted };

/// Memory from mmap for large, short-lived blocks. The process keeps freed memory, so that the next factorisation reuses what the
/// last one freed: the system needs microseconds to find and clear a page, and longer when several threads ask at once, which was
/// half of the time of a factorisation of milliseconds on two ranks. Freed memory is kept by NUMA node, joined with its free
/// neighbours and cut to any size, since contribution blocks grow from front to front. (malloc would keep freed memory for one
/// thread only.)
struct LargeMemory {
  std::byte* data = nullptr;
  std::size_t bytes = 0;  ///< rounded_large_bytes() of the request
  bool is_zero = false;   ///< freshly mapped: all zeros
};

/// The size of the memory that allocate_large(bytes) returns.
std::size_t rounded_large_bytes(std::size_t bytes);
/// Allocate at least `bytes` (>= least_large_bytes), aligned to a page; data is null if the system refuses. Memory with small
/// pages is always mapped anew.
LargeMemory allocate_large(std::size_t bytes, Pages pages = Pages::huge, Use use = Use::at_once);
/// Free memory from allocate_large(). bytes: its LargeMemory::bytes; pages, use: those it was allocated with.
void free_large(std::byte* data, std::size_t bytes, Pages pages = Pages::huge,
                Use use = Use::at_once) noexcept;
/// Count `bytes` more of memory with Use::as_counted as used. Freed memory kept for reuse goes back to the system in return, if the
/// process would else hold clearly more than the most it ever used.
void count_large_use(std::size_t bytes);
/// Count `bytes` fewer as used.
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

/// Leaves new elements uninitialised: for vectors that are written before they are read, perhaps by several threads.
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
