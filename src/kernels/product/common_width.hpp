#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::kernels {

/// The common width that stands for products of several widths: with it, all of them together would take as long as they do. A
/// product is assumed to take time flops (1 + c / width); the result, a harmonic mean weighted by flops, holds for any c.
class CommonWidth {
 public:
  void add(double flops, Index width) {
    flops_ += flops;
    flops_by_width_ += flops / static_cast<double>(std::max<Index>(width, 1));
  }
  /// The width, at least 1; 0 if nothing was added.
  Index width() const { return flops_ > 0 ? static_cast<Index>(std::lround(flops_ / flops_by_width_)) : 0; }

 private:
  double flops_ = 0, flops_by_width_ = 0;
};

}  // namespace overlapack::kernels
