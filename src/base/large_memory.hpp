#pragma once
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace overlapack {

constexpr std::size_t round_up(std::size_t x, std::size_t unit) { return (x + unit - 1) / unit * unit; }

/// What Linux calls a huge page, on x86-64 and, with pages of 4 KiB, on aarch64.
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;
/// Less is the heap's.
constexpr std::size_t least_large_bytes = std::size_t{64} << 10;
/// How much of what was given back waits for the next request, in the process.
constexpr std::size_t waiting_bytes_at_most = std::size_t{64} << 20;

enum class Pages { huge, small };  ///< small: where little of the memory will be written

/// Memory that the system maps, for what is large and does not live long: a factorisation takes it and the next one again. It waits in
/// between, on its NUMA node: the system takes microseconds to find and clear a page, and longer where several threads ask, which was
/// half of a factorisation of milliseconds on two ranks. The heap keeps what one thread uses, but gives back what the others do.
struct LargeMemory {
  std::byte* data = nullptr;
  std::size_t bytes = 0;  ///< large_size() of the request
  bool is_zero = false;   ///< never used before
};

/// What a request takes: sizes an eighth apart, those of BlockPool.
std::size_t large_size(std::size_t bytes);
/// At least `bytes` >= least_large_bytes, aligned to a page; data is null where the system refuses. Small pages never wait.
LargeMemory take_large(std::size_t bytes, Pages pages = Pages::huge);
/// `bytes` as LargeMemory has them.
void give_large(std::byte* data, std::size_t bytes, Pages pages = Pages::huge) noexcept;

/// For vectors: large memory where they are large. A sweep over 256^3 points is 1.1 times as fast on huge pages, whose addresses the
/// processor does not look up line by line, and over whose ends it reads ahead.
template <class T>
struct LargeAllocator {
  using value_type = T;
  LargeAllocator() = default;
  template <class U>
  LargeAllocator(const LargeAllocator<U>&) {}
  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < least_large_bytes) return static_cast<T*>(::operator new(bytes));
    const LargeMemory memory = take_large(bytes);
    if (!memory.data) throw std::bad_alloc();
    return reinterpret_cast<T*>(memory.data);
  }
  void deallocate(T* data, std::size_t count) noexcept {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < least_large_bytes)
      ::operator delete(data);
    else
      give_large(reinterpret_cast<std::byte*>(data), large_size(bytes));
  }
  template <class U>
  bool operator==(const LargeAllocator<U>&) const {
    return true;
  }
};

template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

/// New numbers are not set: for those that are written before they are read, perhaps by several threads.
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
