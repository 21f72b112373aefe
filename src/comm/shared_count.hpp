#pragma once
#include <cstdint>

namespace overlapack::comm {

/// Atomic counter that the ranks of one process share: they add to it, or raise it, while they run.
class SharedCount {
 public:
  /// Returns the new value.
  std::int64_t add(std::int64_t change);
  std::int64_t value() const;
  /// Raise the counter to `value`, unless it is larger already.
  void set_to_at_least(std::int64_t value);
  /// Returns the value and resets the counter to 0.
  std::int64_t take();

 private:
  alignas(64) mutable std::int64_t count_ = 0;  // a cache line of its own
};

}  // namespace overlapack::comm
