#pragma once
#include "overlapack/scalar.hpp"

#include <cstddef>
#include <span>

/// Vector operations of Krylov methods.
namespace overlapack::kernels {

/// a^H b
template <class T>
T inner_product(std::span<const T> a, std::span<const T> b) {
  T sum(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum += conjugate(a[i]) * b[i];
  return sum;
}

/// y <- y + alpha x
template <class T>
void add_to(std::span<T> y, const T& alpha, std::span<const T> x) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += alpha * x[i];
}

/// x <- by x, with `by` a number of the type
template <class T>
void scale(std::span<T> x, double by) {
  for (T& value : x) value *= static_cast<Real<T>>(by);
}

}  // namespace overlapack::kernels
