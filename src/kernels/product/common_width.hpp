#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::kernels {

/// The one width of products of several widths that take as long together, where a product takes flops (1 + c / width) with any c.
class CommonWidth {
 public:
  void add(double flops, Index width) {
    flops_ += flops;
    flops_by_width_ += flops / static_cast<double>(std::max<Index>(width, 1));
  }
  /// At least 1; 0 where nothing was added.
  Index width() const { return flops_ > 0 ? static_cast<Index>(std::lround(flops_ / flops_by_width_)) : 0; }

 private:
  double flops_ = 0, flops_by_width_ = 0;
};

}  // namespace overlapack::kernels
