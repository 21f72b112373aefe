#pragma once
#include "base/fenced.hpp"
#include "base/matrix_view.hpp"

#include <cstddef>

#if defined(__has_feature)  // Clang; GCC defines the name itself
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

// Functions of the sanitizers' runtimes that instrumented code calls; their headers do not declare them.
#if defined(__SANITIZE_ADDRESS__)
extern "C" void __asan_loadN(void* p, unsigned long bytes);
extern "C" void __asan_storeN(void* p, unsigned long bytes);
#elif defined(__SANITIZE_THREAD__)
extern "C" void __tsan_read_range(void* p, unsigned long bytes);
extern "C" void __tsan_write_range(void* p, unsigned long bytes);
#endif

namespace overlapack {

// Announce what code compiled without sanitizers, such as BLAS, is about to read and write: a build with a sanitizer checks
// these bytes as accesses of its own. In other builds these do nothing.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool is_watched = true;
inline void announce_read(const void* p, std::size_t bytes) { __asan_loadN(const_cast<void*>(p), bytes); }
inline void announce_write(void* p, std::size_t bytes) { __asan_storeN(p, bytes); }
#elif defined(__SANITIZE_THREAD__)
inline constexpr bool is_watched = true;
inline void announce_read(const void* p, std::size_t bytes) {
  __tsan_read_range(const_cast<void*>(p), bytes);
}
inline void announce_write(void* p, std::size_t bytes) { __tsan_write_range(p, bytes); }
#else
inline constexpr bool is_watched = false;
inline void announce_read(const void*, std::size_t) {}
inline void announce_write(void*, std::size_t) {}
#endif

template <class T>
void announce_read(MatrixView<const T> A) {
  if constexpr (is_watched)
    for (Index j = 0; j < A.cols && A.rows > 0; ++j)
      announce_read(A.column(j), sizeof(T) * static_cast<std::size_t>(A.rows));
}
template <class T>
void announce_write(MatrixView<T> A) {
  if constexpr (is_watched)
    for (Index j = 0; j < A.cols && A.rows > 0; ++j)
      announce_write(A.column(j), sizeof(T) * static_cast<std::size_t>(A.rows));
}

}  // namespace overlapack
