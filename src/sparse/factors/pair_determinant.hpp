#pragma once
#include "dense/lu/solve/determinant.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace overlapack::sparse {

/// Determinant of a 2x2 pivot, det [a b~; b c] with b~ = b, or its conjugate if the matrix is Hermitian. It
/// is scaled by the largest entry, so that no product leaves the range.
template <class T>
dense::ScaledNumber<T> pair_determinant(T a, T b, T c, bool hermitian) {
  const Real<T> largest = std::max({std::abs(a), std::abs(c), std::abs(b)});
  const T mirrored = hermitian ? conjugate(b) : b;
  const dense::ScaledNumber<T> det{(a / largest) * (c / largest) - (b / largest) * (mirrored / largest), 0},
      size{T(largest), 0};
  return dense::product(det, dense::product(size, size));
}

}  // namespace overlapack::sparse
