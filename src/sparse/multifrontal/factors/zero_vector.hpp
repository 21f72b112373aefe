#pragma once
#include "base/arena.hpp"

#include <cstddef>
#include <span>

namespace overlapack::sparse::multifrontal {

/// A vector of zeros that is kept from one use to the next: each user clears again what it wrote. Pages that
/// nobody writes to take no memory.
template <class T>
class ZeroVector {
 public:
  /// `length` zeros, until release().
  std::span<T> take(std::size_t length) {
    if (is_taken_ || length > zeros_.size()) {  // taken: its last user has thrown and not cleared it
      memory_ = Arena(length * sizeof(T), Pages::small);
      zeros_ = {memory_.zeros<T>(length), length};
    }
    is_taken_ = true;
    return zeros_.first(length);
  }
  /// Called when all of it is zero again. Keeps the memory unless it is large.
  void release() {
    is_taken_ = false;
    if (zeros_.size_bytes() <= waiting_bytes_at_most) return;
    memory_ = Arena();
    zeros_ = {};
  }

 private:
  Arena memory_;
  std::span<T> zeros_;
  bool is_taken_ = false;
};

}  // namespace overlapack::sparse::multifrontal
