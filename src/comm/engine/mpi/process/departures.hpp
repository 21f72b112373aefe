#pragma once
#include "comm/engine/mpi/process/mpi_library.hpp"

#include <cstdint>

namespace overlapack::comm::mpi {

/// Finds out that a process has ended while others wait for it. A process that finalises MPI tells the next rank of the
/// communicator (the last rank tells the first) how many collective calls it has completed. A rank in a long wait looks for this
/// message from the rank before it, and fails if that rank has ended without completing the call that this rank waits in; usually
/// its process then ends as well, and tells the next rank. Whenever some ranks have ended and others wait for them, one of the
/// waiting ranks follows one that has ended.
/// Cost    one message of 8 bytes per rank, at its end; a probe in each round of a long wait
class Departures {
 public:
  Departures(MpiLibrary& library, OverlapackComm comm, int tag, int rank, int size)
      : library_(library), comm_(comm), tag_(tag), rank_(rank), size_(size) {}

  /// Count a collective call, which all ranks make in the same order: the opening of a team, or a run. Calls may be nested.
  void begin_call() { ++begun_; }
  void end_call() { ++completed_; }
  /// Tell the next rank that this process ends.
  void announce() noexcept;
  /// Called in each round of a long wait.
  /// Errors  CommFailure if the rank before this one has ended without completing the call that this rank began last; after that
  ///         nothing waits for MPI any more, but this process may finalise it
  void require_none();

 private:
  /// Whether ranks tell of their end. Not with OpenSHMEM, which would wait at its end until somebody receives the message.
  bool are_told() const { return size_ > 1 && !library_.is_shmem(); }
  int neighbour(int distance) const { return (rank_ + distance + size_) % size_; }

  MpiLibrary& library_;
  OverlapackComm comm_;
  int tag_, rank_, size_;
  std::int64_t begun_ = 0, completed_ = 0;
  bool is_posted_ = false, has_arrived_ = false;  ///< the receive of the message from the rank before
  std::int64_t completed_before_ = 0;             ///< its content: the calls that the rank before completed
};

}  // namespace overlapack::comm::mpi
