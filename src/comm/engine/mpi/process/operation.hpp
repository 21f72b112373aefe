#pragma once
#include "comm/engine/watched_operation.hpp"

#include <memory>

namespace overlapack::comm::mpi {

/// An operation of this engine. Only the rank's own thread sets `done`.
struct MpiOperation : WatchedOperation {
  std::shared_ptr<MpiOperation> next_finished;  ///< in the list of finished operations not yet published

  /// For operations that no MPI request completes: check, and return whether it is done.
  virtual bool refresh() { return false; }
};

}  // namespace overlapack::comm::mpi
