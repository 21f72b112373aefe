#pragma once
#include <chrono>
#include <cstddef>
#include <thread>

namespace overlapack::comm {

/// How long a thread without work waits busily before it sleeps. Sleep and wake-up cost about as much on a virtual machine: 10 to 25 us
/// of the waking thread, and as much again until the other one runs.
constexpr auto most_spin = std::chrono::microseconds(50);

/// A thread that was woken wakes two more, as long as there are parts for them. If one thread woke all, it would not work meanwhile.
/// ready: number of ready parts, of which this thread takes one
template <class Wake>
void wake_two(std::size_t ready, Wake&& wake_one) {
  for (std::size_t others = 1; others <= 2 && ready > others; ++others) wake_one();
}

/// One round of a busy wait.
inline void pause_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

/// Wait busily until is_over(), for at most most_spin; returns is_over().
template <class F>
bool spin_until(F&& is_over) {
  constexpr int rounds = 16;  // between two looks at the clock
  const auto until = std::chrono::steady_clock::now() + most_spin;
  do {
    for (int i = 0; i < rounds; ++i) {
      if (is_over()) return true;
      pause_processor();
    }
  } while (std::chrono::steady_clock::now() < until);
  return is_over();
}

}  // namespace overlapack::comm
