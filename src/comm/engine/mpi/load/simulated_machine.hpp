#pragma once
#include "base/random.hpp"
#include "comm/engine/mpi/load/table.h"

#include <array>
#include <map>
#include <string>
#include <string_view>

namespace overlapack::comm::mpi {

/// Time of one kernel on the simulated machine. A call takes the larger of flops / rate and bytes / bytes_per_s, plus call_s. The
/// rate depends on the width w of the call, which is its k, or its n if k is 0: rate = flops_per_s w / (w + half_width). For a
/// kernel with coefficients c, a call with m, n and k above 0 takes c[0] m n k + c[1] m n + c[2] m k + c[3] n k + c[4] seconds
/// instead.
struct KernelTime {
  double flops_per_s = 0;
  double bytes_per_s = 0;  ///< memory bandwidth; 0: the machine's
  double call_s = 0;
  double half_width = 0;
  bool has_coefficients = false;
  std::array<double, 5> coefficients{};
};

/// Seconds of processor time for a put and for a get, and the latency of both in addition to that of the links.
struct OnesidedTime {
  double put_s = 0, get_s = 0, wire_s = 0;
};

/// The simulated machine, as described by the file that `overlapack simulate` writes for its ranks (docs/simulate.md). Read once,
/// shared by all of them.
class SimulatedMachine {
 public:
  /// The machine of the file that the environment names in OVERLAPACK_SIMULATED_MACHINE; null where it names none.
  /// Errors  BadInput if the file cannot be read
  static const SimulatedMachine* of_this_run();
  explicit SimulatedMachine(const std::string& path);

  /// Seconds for `work`, without noise and slow hosts.
  double seconds(const OverlapackWork& work) const;
  /// Factor by which all times of this rank are longer.
  double slowness(int rank) const;
  /// Whether processors of a node that compute at the same time slow each other down.
  bool slow_each_other_down() const { return slow_each_other_down_; }
  /// Whether they do and a node has several ranks, so that ranks slow each other down.
  bool ranks_share_processors() const { return slow_each_other_down_ && ranks_per_node_ > 1; }
  double noise() const { return noise_; }
  std::uint64_t seed() const { return seed_; }
  const OnesidedTime& onesided() const { return onesided_; }
  const OverlapackSimulation& settings() const { return settings_; }

 private:
  KernelTime usual_;
  std::map<std::string, KernelTime, std::less<>> kernels_;
  double memory_bytes_per_s_ = 0;
  std::map<int, double> slow_ranks_;
  bool slow_each_other_down_ = false;
  double noise_ = 0;
  std::uint64_t seed_ = 1;
  int ranks_per_node_ = 1;
  OnesidedTime onesided_;
  OverlapackSimulation settings_{};
};

/// Absolute value of a normal random variable with standard deviation 1: disturbances only ever make a computer slower.
double half_normal(Random& random);

}  // namespace overlapack::comm::mpi
