#include "overlapack/quiet_floats.hpp"

#include <utility>

namespace overlapack {
namespace {

thread_local QuietFloats* outermost = nullptr;

}  // namespace

QuietFloats::QuietFloats() : is_outermost_(outermost == nullptr) {
  if (!is_outermost_) return;
  std::feholdexcept(&before_);
  outermost = this;
}

QuietFloats::~QuietFloats() {
  if (!is_outermost_) return;
  outermost = nullptr;
  std::fesetenv(&before_);
}

CallersFloats::CallersFloats() : outermost_(std::exchange(outermost, nullptr)) {
  if (outermost_ == nullptr) return;
  std::fegetenv(&quiet_);
  std::fesetenv(&outermost_->before_);
}

CallersFloats::~CallersFloats() {
  if (outermost_ == nullptr) return;
  std::fegetenv(&outermost_->before_);
  std::fesetenv(&quiet_);
  outermost = outermost_;
}

}  // namespace overlapack
