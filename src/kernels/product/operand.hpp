#pragma once
#include "base/instantiate.hpp"
#include "base/matrix_view.hpp"

#include <cmath>
#include <type_traits>

namespace overlapack::kernels {

/// A read-only operand. T is deduced from the operand that is written, so that a MatrixView<T> converts.
template <class T>
using ConstView = std::type_identity_t<MatrixView<const T>>;

/// A scalar operand, from which T is not deduced.
template <class T>
using Scalar = std::type_identity_t<T>;

/// The size of an entry in pivot tests: |x|, for complex numbers |re| + |im| (no overflow, no square root),
/// which lies between the modulus and sqrt(2) times the modulus.
template <class T>
Real<T> magnitude(const T& x) {
  if constexpr (ScalarTraits<T>::is_complex)
    return std::abs(x.real()) + std::abs(x.imag());
  else
    return std::abs(x);
}

}  // namespace overlapack::kernels
