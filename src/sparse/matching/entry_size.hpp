#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace overlapack::sparse {

/// log2 |x|; -infinity for 0. For a complex x, |x| itself may be outside the range of a double.
inline double log2_abs(double x) {
  return x == 0 ? -std::numeric_limits<double>::infinity() : std::log2(std::fabs(x));
}
template <class R>
double log2_abs(const std::complex<R>& x) {
  const double re = std::fabs(static_cast<double>(x.real())), im = std::fabs(static_cast<double>(x.imag()));
  const double a = std::max(re, im), b = std::min(re, im);
  if (b == 0) return log2_abs(a);
  return std::log2(a) + 0.5 * std::log2(1 + (b / a) * (b / a));
}

/// The power of two nearest to 2^x within the range of T, since vectors of type T are scaled by it, too.
template <class T>
double power_of_two(double x) {
  constexpr double most = std::numeric_limits<Real<T>>::max_exponent - 24;
  return std::exp2(std::clamp(std::round(x), -most, most));
}

}  // namespace overlapack::sparse
