#pragma once
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace overlapack {

/// What threads need one of while they work, and leave behind as it was: no more are made than work at one time.
template <class V>
class Spares {
 public:
  /// most: that are left behind in all
  explicit Spares(std::size_t most) { spares_.reserve(most); }

  /// One that was left behind, or a new one.
  V take() {
    const std::lock_guard lock(mutex_);
    if (spares_.empty()) return {};
    V spare = std::move(spares_.back());
    spares_.pop_back();
    return spare;
  }
  void leave(V spare) {
    const std::lock_guard lock(mutex_);
    spares_.push_back(std::move(spare));
  }

 private:
  std::mutex mutex_;
  std::vector<V> spares_;
};

}  // namespace overlapack
