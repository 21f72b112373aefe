#pragma once
#include <utility>

namespace overlapack {

/// A flag that is true while this lives, then again what it was before.
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
