#include "comm/engine/mpi/process/patience.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace overlapack::comm::mpi {

void Patience::spin_or_nap(bool may_nap) {
  constexpr auto nap = std::chrono::microseconds(50);
  constexpr double shortest_s = 1e-6, share = 1.0 / 16;
  if (library_.is_simulated()) {
    const double rest_s = std::max(shortest_s, share * waited_s_);
    waited_s_ += rest_s;
    return library_.table().idle(rest_s);
  }
  if (++rounds_ < rounds_awake) return;
  if (!may_nap || rounds_ < rounds_yielding)
    std::this_thread::yield();
  else
    std::this_thread::sleep_for(nap);
}

}  // namespace overlapack::comm::mpi
