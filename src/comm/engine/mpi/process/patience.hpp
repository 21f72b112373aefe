#pragma once
#include "comm/engine/mpi/process/library.hpp"

namespace overlapack::comm::mpi {

/// Spends the time of a rank that has nothing to do: tests, then yields, then sleeps for short times. Simulated time
/// passes only when somebody spends it: there each rest is a share of the wait so far, so that a long wait takes few
/// rests and ends late by no more than this share.
class Patience {
 public:
  explicit Patience(const Library& library) : library_(library) {}
  /// `may_nap`: not while a message of ours is on its way, since many an MPI moves it piece by piece, in calls of both sides.
  void rest(bool may_nap = true);
  void reset() { rounds_ = 0, waited_s_ = 0; }

 private:
  const Library& library_;
  int rounds_ = 0;
  double waited_s_ = 0;  ///< simulated
};

}  // namespace overlapack::comm::mpi
