#pragma once
#include <algorithm>
#include <chrono>
#include <limits>

namespace overlapack::probe {

/// The least time of one call in seconds, of three or more; `restore` runs untimed before each.
template <class Restore, class F>
double least_seconds(Restore&& restore, F&& f) {
  using Clock = std::chrono::steady_clock;
  constexpr double enough_s = 0.05;
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
