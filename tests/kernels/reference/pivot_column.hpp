#pragma once
#include "kernels/product/operand.hpp"

namespace overlapack::kernels::reference {

/// The first of the m entries of x that has the largest magnitude, NaN aside.
template <class T>
Index largest_entry(Index m, const T* x) {
  Index best = -1;
  for (Index i = 0; i < m; ++i) {
    if (std::isnan(magnitude(x[i]))) continue;
    if (best < 0 || magnitude(x[i]) > magnitude(x[best])) best = i;
  }
  return std::max<Index>(best, 0);
}

}  // namespace overlapack::kernels::reference
