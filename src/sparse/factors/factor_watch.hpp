#pragma once
#include <functional>
#include <memory>

namespace overlapack::sparse {

class MemoryAccount;

/// Observers of a factorisation.
struct FactorWatch {
  /// Called between tasks on every rank with the share of its flops that is done; false cancels.
  std::function<bool(double)> on_progress = {};
  /// Of all ranks of this process; null: each counts as a process of its own. A limit is kept by fronts only.
  std::shared_ptr<MemoryAccount> memory = {};

  /// Errors  Cancelled
  void report(double share) const;
};

}  // namespace overlapack::sparse
