#include "counted_allocations.hpp"

#include <cstdlib>
#include <new>

namespace overlapack::testing {

thread_local std::int64_t allocations_left = -1;
thread_local std::int64_t allocations = 0;

namespace {

void* allocate(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  if (allocations_left >= 0 && allocations_left-- == 0) {
    throw std::bad_alloc();
  }
  void* memory = alignment > alignof(std::max_align_t)
                     ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment)
                     : std::malloc(bytes ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace
}  // namespace overlapack::testing

/// The pool of contribution blocks takes its memory here.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  ++overlapack::testing::allocations;
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

void* operator new(std::size_t bytes) { return overlapack::testing::allocate(bytes, 1); }
void* operator new[](std::size_t bytes) { return overlapack::testing::allocate(bytes, 1); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return overlapack::testing::allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return overlapack::testing::allocate(bytes, static_cast<std::size_t>(alignment));
}
/// Whose callers go on without: sorts ask for a buffer so.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return std::malloc(bytes ? bytes : 1);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
