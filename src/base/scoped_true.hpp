#pragma once

namespace overlapack {

/// A flag that is true while this lives.
class ScopedTrue {
 public:
  explicit ScopedTrue(bool& flag) : flag_(flag) { flag_ = true; }
  ~ScopedTrue() { flag_ = false; }
  ScopedTrue(const ScopedTrue&) = delete;
  ScopedTrue& operator=(const ScopedTrue&) = delete;

 private:
  bool& flag_;
};

}  // namespace overlapack
