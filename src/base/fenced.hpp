#pragma once
#include <cstddef>

#if defined(__has_feature)  // Clang; GCC defines the name itself
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace overlapack {

// Fence off memory that no code may access now: blocks kept by a pool, free memory of an arena, the bytes behind a block.
// The address sanitizer reports accesses to it. In other builds these do nothing.
#ifdef __SANITIZE_ADDRESS__
/// Bytes between two allocations of an arena.
inline constexpr std::size_t fence_bytes = 64;
inline void poison_memory(const void* p, std::size_t bytes) { ASAN_POISON_MEMORY_REGION(p, bytes); }
inline void unpoison_memory(const void* p, std::size_t bytes) { ASAN_UNPOISON_MEMORY_REGION(p, bytes); }
#else
inline constexpr std::size_t fence_bytes = 0;
inline void poison_memory(const void*, std::size_t) {}
inline void unpoison_memory(const void*, std::size_t) {}
#endif

}  // namespace overlapack
