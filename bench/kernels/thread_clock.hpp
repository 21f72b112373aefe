#pragma once
#include <ctime>

/// Seconds of processor time of this thread, so that other programs on the machine do not count. Reading it takes about
/// half a microsecond; work of a few microseconds is measured by the wall clock instead (`is_short`), and its minimum used.
inline double thread_seconds(bool is_short = false) {
  timespec t;
  clock_gettime(is_short ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
