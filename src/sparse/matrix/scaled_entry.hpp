#pragma once
#include "overlapack/scalar.hpp"

#include <cmath>
#include <complex>
#include <type_traits>

namespace overlapack::sparse {

/// dr a dc for powers of two dr and dc, without overflow or underflow on the way.
template <class T>
T scaled_entry(T a, double dr, double dc) {
  using Wide = std::conditional_t<ScalarTraits<T>::is_complex, std::complex<double>, double>;
  const double both = dr * dc;
  if (std::isnormal(both)) return static_cast<T>(Wide(a) * both);
  const int exponent = std::ilogb(dr) + std::ilogb(dc);
  if constexpr (ScalarTraits<T>::is_complex)
    return {std::ldexp(a.real(), exponent), std::ldexp(a.imag(), exponent)};
  else
    return std::ldexp(a, exponent);
}

}  // namespace overlapack::sparse
