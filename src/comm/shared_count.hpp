#pragma once
#include <cstdint>

namespace overlapack::comm {

/// A number that the ranks of one process add to while they run.
class SharedCount {
 public:
  /// Returns what it is then.
  std::int64_t add(std::int64_t change);
  std::int64_t value() const;

 private:
  alignas(64) mutable std::int64_t count_ = 0;  // a line of its own
};

}  // namespace overlapack::comm
