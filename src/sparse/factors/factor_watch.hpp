#pragma once
#include <functional>
#include <memory>

namespace overlapack::sparse {

class MemoryLimit;

/// Observers of a factorisation.
struct FactorWatch {
  /// Called between tasks on every rank with the share of its flops that is done; false cancels.
  std::function<bool(double)> on_progress = {};
  /// Memory limit of the ranks of this process, together; null: none. Used by fronts only.
  std::shared_ptr<MemoryLimit> memory = {};

  /// Errors  Cancelled
  void report(double share) const;
};

}  // namespace overlapack::sparse
