#pragma once
#include "comm/engine/mpi/process/mpi_library.hpp"

namespace overlapack::comm::mpi {

/// Back-off between the tests of a waiting rank: first none, then yield, then short sleeps. In simulated time each rest is a fixed
/// share of the wait so far, so that a long wait needs few rests and ends late by no more than this share.
class Patience {
 public:
  explicit Patience(const MpiLibrary& library) : library_(library) {}
  /// may_nap: false while a message of this rank is under way, since many MPIs move it piece by piece, in calls on both sides.
  void spin_or_nap(bool may_nap = true);
  /// Whether it has waited for long. Never in simulated time.
  bool is_long() const { return rounds_ >= rounds_yielding; }
  void reset() { rounds_ = 0, waited_s_ = 0; }

 private:
  static constexpr int rounds_awake = 100, rounds_yielding = 4000;
  const MpiLibrary& library_;
  int rounds_ = 0;
  double waited_s_ = 0;  ///< simulated
};

}  // namespace overlapack::comm::mpi
