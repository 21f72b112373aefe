#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <span>

namespace overlapack::kernels {

/// Number of independent partial sums, or maxima: with a single one, each step would wait for the one before.
constexpr std::size_t norm_lanes = 4;

/// max |v_i|, in double; NaN if an entry is NaN.
template <class T>
double largest(std::span<const T> values) {
  double most[norm_lanes] = {};
  bool has_nan = false;
  const auto take = [&](double& lane, const T& v) {
    const double size = std::abs(v);
    lane = size > lane ? size : lane;
    has_nan |= std::isnan(size);
  };
  std::size_t i = 0;
  for (; i + norm_lanes <= values.size(); i += norm_lanes)
    for (std::size_t l = 0; l < norm_lanes; ++l) take(most[l], values[i + l]);
  for (; i < values.size(); ++i) take(most[0], values[i]);
  return has_nan ? std::numeric_limits<double>::quiet_NaN() : *std::ranges::max_element(most);
}

/// The 2-norm, summed in double for all types. If squares overflow or underflow, the entries are scaled by the largest one.
template <class T>
double norm2(std::span<const T> values) {
  double sums[norm_lanes] = {};
  const auto add = [&](double& lane, const T& v) {
    const double re = std::real(v), im = std::imag(v);
    lane += re * re + im * im;
  };
  std::size_t i = 0;
  for (; i + norm_lanes <= values.size(); i += norm_lanes)
    for (std::size_t l = 0; l < norm_lanes; ++l) add(sums[l], values[i + l]);
  for (; i < values.size(); ++i) add(sums[0], values[i]);
  const double plain = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  if (plain > 1e-200 && plain < 1e200) return std::sqrt(plain);
  const double most = largest(values);
  if (!(most > 0) || !std::isfinite(most)) return most;
  double sum = 0;
  for (const T& v : values) {
    const double share = static_cast<double>(std::abs(v)) / most;
    sum += share * share;
  }
  return most * std::sqrt(sum);
}

/// A power of two near the largest entry, by which callers divide so that squares do not overflow, and underflow only where it
/// does not matter. The power and its inverse are numbers of the type. 1 if the largest entry is 0 or not finite.
template <class T>
double power_of_two_near_largest(std::span<const T> values) {
  const double most = largest(values);
  if (!(most > 0) || !std::isfinite(most)) return 1;
  constexpr int exponent = std::numeric_limits<Real<T>>::max_exponent - 4;
  return std::ldexp(1.0, std::clamp(std::ilogb(most), -exponent, exponent));
}

}  // namespace overlapack::kernels
