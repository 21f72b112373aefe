#pragma once
#include <utility>

namespace overlapack {

/// Sets a flag to true for its lifetime, then restores the old value.
class ScopedTrue {
 public:
  explicit ScopedTrue(bool& flag) : flag_(flag), before_(std::exchange(flag, true)) {}
  ~ScopedTrue() { flag_ = before_; }
  ScopedTrue(const ScopedTrue&) = delete;
  ScopedTrue& operator=(const ScopedTrue&) = delete;

 private:
  bool& flag_;
  const bool before_;
};

}  // namespace overlapack
