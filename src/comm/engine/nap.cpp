#include "comm/nap.hpp"

#include <chrono>
#include <thread>

namespace overlapack::comm {

namespace {

constexpr auto length = std::chrono::microseconds(20);
constexpr double flops = 1e5;  ///< charged to a simulated rank, whose clock advances by work only

}  // namespace

void sleep_briefly(Rank& rank) {
  const bool is_real = !rank.capabilities().virtual_time;
  rank.compute({.kind = "rest", .flops = flops}, [is_real] {
    if (is_real) std::this_thread::sleep_for(length);
  });
}

}  // namespace overlapack::comm
