#pragma once
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace overlapack {

/// Pool of per-thread work spaces, returned as they were: no more exist than threads work at one time.
template <class V>
class Spares {
 public:
  /// most: work spaces ever in the pool (reserved here, so that put_back() does not allocate)
  explicit Spares(std::size_t most) { spares_.reserve(most); }

  /// A pooled work space, or a new one.
  V acquire() {
    const std::lock_guard lock(mutex_);
    if (spares_.empty()) return {};
    V spare = std::move(spares_.back());
    spares_.pop_back();
    return spare;
  }
  void put_back(V spare) {
    const std::lock_guard lock(mutex_);
    spares_.push_back(std::move(spare));
  }

 private:
  std::mutex mutex_;
  std::vector<V> spares_;
};

}  // namespace overlapack
