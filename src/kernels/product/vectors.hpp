#pragma once
#include "overlapack/scalar.hpp"

#include <cstddef>
#include <span>

/// Vector operations of Krylov methods.
namespace overlapack::kernels {

/// a^H b, summed in eight partial sums, so that no addition waits for the one before.
template <class T>
T inner_product(std::span<const T> a, std::span<const T> b) {
  constexpr std::size_t parts = 8;
  T sum[parts] = {};
  std::size_t i = 0;
  for (; i + parts <= a.size(); i += parts)
    for (std::size_t k = 0; k < parts; ++k) sum[k] += conjugate(a[i + k]) * b[i + k];
  for (; i < a.size(); ++i) sum[i % parts] += conjugate(a[i]) * b[i];
  for (std::size_t half = parts / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) sum[k] += sum[k + half];
  return sum[0];
}

/// y <- y + alpha x
template <class T>
void add_multiple_to(std::span<T> y, const T& alpha, std::span<const T> x) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += alpha * x[i];
}

/// x <- by x, with `by` a number of the type
template <class T>
void scale(std::span<T> x, double by) {
  for (T& value : x) value *= static_cast<Real<T>>(by);
}

}  // namespace overlapack::kernels
