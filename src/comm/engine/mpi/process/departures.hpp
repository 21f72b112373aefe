#pragma once
#include "comm/engine/mpi/process/mpi_library.hpp"

#include <cstdint>

namespace overlapack::comm::mpi {

/// Processes that end while others wait for them. One that finalises MPI tells the next rank of the communicator, the first one after the
/// last, in how many calls of all ranks it took part to the end. If some ranks have ended and others wait for them there, one of those that
/// wait is next to one that has ended. It fails, and usually ends as well.
/// Cost    one message of 8 bytes a rank, at its end; a probe in each round of a long wait
class Departures {
 public:
  Departures(MpiLibrary& library, OverlapackComm comm, int tag, int rank, int size)
      : library_(library), comm_(comm), tag_(tag), rank_(rank), size_(size) {}

  /// A call of all ranks, in the same order on each: a team is opened, or runs. They may be nested.
  void begin_call() { ++begun_; }
  void end_call() { ++completed_; }
  /// This process ends.
  void announce() noexcept;
  /// In a long wait.
  /// Errors  CommFailure if a rank has ended without this rank's last call; from here on nothing waits for MPI but its end
  void require_none();

 private:
  /// Not by OpenSHMEM, which would wait at its end until somebody receives.
  bool are_told() const { return size_ > 1 && !library_.is_shmem(); }
  int neighbour(int distance) const { return (rank_ + distance + size_) % size_; }

  MpiLibrary& library_;
  OverlapackComm comm_;
  int tag_, rank_, size_;
  std::int64_t begun_ = 0, completed_ = 0;
  bool is_posted_ = false, has_arrived_ = false;  ///< the receive of what the rank before says at its end
  std::int64_t completed_before_ = 0;             ///< by that rank
};

}  // namespace overlapack::comm::mpi
