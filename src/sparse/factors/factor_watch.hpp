#pragma once
#include <functional>
#include <memory>

namespace overlapack::sparse {

class MemoryLimit;

/// Who looks on while factors are made.
struct FactorWatch {
  /// Called between tasks on every rank with the share of its flops that is done; false cancels.
  std::function<bool(double)> on_progress = {};
  /// Of the ranks of this process, together; null: memory is not limited. Fronts alone ask for it.
  std::shared_ptr<MemoryLimit> memory = {};

  /// Errors  Cancelled
  void report(double share) const;
};

}  // namespace overlapack::sparse
