#pragma once
#include <cstdint>

namespace overlapack::comm {

/// Atomic counter that the ranks of one process add to while they run.
class SharedCount {
 public:
  /// Returns the new value.
  std::int64_t add(std::int64_t change);
  std::int64_t value() const;

 private:
  alignas(64) mutable std::int64_t count_ = 0;  // a cache line of its own
};

}  // namespace overlapack::comm
