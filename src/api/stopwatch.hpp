#pragma once
#include <chrono>

namespace overlapack::api {

/// Seconds since it was made.
class Stopwatch {
 public:
  double s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace overlapack::api
