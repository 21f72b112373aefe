#pragma once
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace overlapack {

/// Pool of work spaces for threads. A thread takes one, works and puts it back; the next thread gets it as it was left, with its
/// memory. So there are never more work spaces than threads that work at the same time.
template <class V>
class Spares {
 public:
  /// most: the largest number of work spaces that will ever be in the pool. It is reserved here, so that put_back() does not
  /// allocate.
  explicit Spares(std::size_t most) { spares_.reserve(most); }

  /// Take the work space that was put back last; if the pool is empty, a default-constructed one.
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
