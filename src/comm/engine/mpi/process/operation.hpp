#pragma once
#include "comm/engine/watched_operation.hpp"

#include <memory>

namespace overlapack::comm::mpi {

/// An operation of this engine. Only the rank's own thread sets `done`.
struct MpiOperation : WatchedOperation {
  std::shared_ptr<MpiOperation> next_finished;  ///< of those that the rank has not looked at yet

  /// Look for oneself whether it is done; true for operations that no MPI request ends.
  virtual bool refresh() { return false; }
};

}  // namespace overlapack::comm::mpi
