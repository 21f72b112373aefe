#pragma once
#include "comm/team.hpp"

#include <chrono>

namespace overlapack::api {

/// Measures the seconds since its construction; on a simulated machine in simulated time.
class Stopwatch {
 public:
  double seconds() const { return now_s() - start_s_; }

 private:
  static double now_s() {
    if (const auto simulated = comm::simulated_time()) return *simulated;
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  double start_s_ = now_s();
};

}  // namespace overlapack::api
