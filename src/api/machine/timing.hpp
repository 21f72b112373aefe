#pragma once
#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>

namespace overlapack::probe {

/// A clock of the processor time of this thread, which other programs do not disturb. Reading it takes half a microsecond, so that it suits
/// longer work only.
struct ThreadClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<ThreadClock>;
  static constexpr bool is_steady = true;

  static time_point now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return time_point(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
  }
};

/// The least time of one call of f in seconds, over three or more calls. `restore` runs before each call and is not timed.
template <class Clock = std::chrono::steady_clock, class Restore, class F>
double least_seconds(Restore&& restore, F&& f, double enough_s = 0.05) {
  constexpr int fewest = 3, most = 1000;
  double least = std::numeric_limits<double>::infinity(), spent = 0;
  for (int i = 0; i < fewest || (spent < enough_s && i < most); ++i) {
    restore();
    const auto start = Clock::now();
    f();
    const double s = std::chrono::duration<double>(Clock::now() - start).count();
    least = std::min(least, s);
    spent += s;
  }
  return least;
}

}  // namespace overlapack::probe
