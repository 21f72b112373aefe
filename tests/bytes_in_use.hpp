#pragma once
#include <malloc.h>

/// Memory by malloc's own count, which sees 8 bytes a step where the size of the process does not.
namespace overlapack::test {

inline long bytes_in_use() {
  const struct mallinfo2 counts = mallinfo2();
  return static_cast<long>(counts.uordblks + counts.hblkhd);
}

/// By how many bytes `steps` calls of step() leave more in use, after a quarter as many: lists have grown to what they need by then.
template <class Step>
long growth_of(long steps, Step&& step) {
  for (long k = 0; k < steps / 4 + 1; ++k) step();
  const long before = bytes_in_use();
  for (long k = 0; k < steps; ++k) step();
  return bytes_in_use() - before;
}

/// What the caches of malloc's threads and lists that double now and then may differ by; below 8 bytes a step from 2000 steps on.
constexpr long allowed_growth(long steps) { return 6144 + steps; }

}  // namespace overlapack::test
