#include "counted_allocations.hpp"

#include "base/large_memory.hpp"

#include <cstdlib>
#include <new>

namespace overlapack::testing {

thread_local std::int64_t allocations_left = -1;
thread_local std::int64_t large_left = -1;
thread_local bool memory_stays_out = false;
thread_local std::int64_t failed_allocations = 0;
thread_local std::int64_t allocations = 0;
thread_local std::int64_t block_allocations = 0;

namespace {

bool fails(std::int64_t& left) {
  if (left < 0 || (left > 0 && left-- > 0)) return false;
  if (!memory_stays_out) left = -1;
  ++failed_allocations;
  return true;
}

/// Null where it fails.
void* aligned(std::size_t alignment, std::size_t bytes) {
  ++allocations;
  void* memory = nullptr;
  return !fails(allocations_left) && posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

void* checked(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

void* allocate(std::size_t bytes) {
  ++allocations;
  return checked(fails(allocations_left) ? nullptr : std::malloc(bytes ? bytes : 1));
}

}  // namespace
}  // namespace overlapack::testing

/// Arenas and pools take their memory here, and large pieces by allocate_large, for whose callers the linker has put the other one.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  ++overlapack::testing::block_allocations;
  return overlapack::testing::aligned(alignment, bytes);
}

namespace overlapack {

LargeMemory real_allocate_large(std::size_t bytes, Pages pages,
                                Use use) asm("__real__ZN10overlapack14allocate_largeEmNS_5PagesENS_3UseE");
LargeMemory allocate_large_or_fail(std::size_t bytes, Pages pages,
                                   Use use) asm("__wrap__ZN10overlapack14allocate_largeEmNS_5PagesENS_3UseE");

LargeMemory allocate_large_or_fail(std::size_t bytes, Pages pages, Use use) {
  using namespace testing;
  ++allocations;
  ++block_allocations;
  if (fails(large_left) || fails(allocations_left)) return {};
  return real_allocate_large(bytes, pages, use);
}

}  // namespace overlapack

void* operator new(std::size_t bytes) { return overlapack::testing::allocate(bytes); }
void* operator new[](std::size_t bytes) { return overlapack::testing::allocate(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return overlapack::testing::checked(
      overlapack::testing::aligned(static_cast<std::size_t>(alignment), bytes));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return overlapack::testing::checked(
      overlapack::testing::aligned(static_cast<std::size_t>(alignment), bytes));
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
