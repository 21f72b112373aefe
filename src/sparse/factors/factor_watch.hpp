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
  /// Called with the share of the process's flops that is done, between tasks and while its rank waits for others; false cancels. Set
  /// on rank 0 alone.
  std::function<bool(double)> on_progress = {};
  /// Of all ranks of this process; null: each counts as a process of its own. A limit is kept by fronts only.
  std::shared_ptr<MemoryAccount> memory = {};
  /// Of all ranks of this process; null: the rank's own counts alone. By fronts only.
  std::shared_ptr<WorkDone> work = {};

  /// Errors  Cancelled
  void report(double share) const;
};

}  // namespace overlapack::sparse
