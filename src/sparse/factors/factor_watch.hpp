#pragma once
#include "comm/shared_count.hpp"

#include <functional>
#include <memory>

namespace overlapack::sparse {

class MemoryAccount;

/// Flops of the ranks of one process: those predicted, and those done so far.
struct WorkDone {
  comm::SharedCount expected, done;
};

/// Observers of a factorisation.
struct FactorWatch {
  /// Set on rank 0 alone. It is called with the share of the process's flops that is done, between tasks and
  /// while the rank waits for others; false cancels the factorisation.
  std::function<bool(double)> on_progress = {};
  /// Shared by all ranks of this process; null: each rank counts as a process of its own. Only the
  /// multifrontal method keeps a limit.
  std::shared_ptr<MemoryAccount> memory = {};
  /// Shared by all ranks of this process; null: each rank counts its own work alone. Only the multifrontal
  /// method uses it.
  std::shared_ptr<WorkDone> work = {};

  /// Errors  Cancelled
  void report(double share) const;
};

}  // namespace overlapack::sparse
