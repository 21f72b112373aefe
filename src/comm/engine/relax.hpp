#pragma once
#include <thread>

namespace overlapack::comm {

/// One round of a busy wait.
inline void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace overlapack::comm
