#include "api/krylov_solution.hpp"

#include "base/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace overlapack::api {

template <class T>
T inner_product(std::span<const T> a, std::span<const T> b) {
  T sum(0);
  for (std::size_t i = 0; i < a.size(); ++i) sum += conjugate(a[i]) * b[i];
  return sum;
}

template <class T>
double norm(std::span<const T> a) {
  double sum = 0;
  for (const T& value : a) sum += std::norm(std::complex<double>(value));
  return std::sqrt(sum);
}

template <class T>
void add_to(std::span<T> y, const T& alpha, std::span<const T> x) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += alpha * x[i];
}

template <class T>
void scale(std::span<T> x, double by) {
  for (T& value : x) value *= static_cast<Real<T>>(by);
}

/// It and its inverse are numbers of the type.
template <class T>
double unit_of(std::span<const T> r) {
  double most = 0;
  for (const T& value : r) most = std::max(most, static_cast<double>(std::abs(value)));
  if (!(most > 0) || !std::isfinite(most)) return 1;
  constexpr int largest = std::numeric_limits<Real<T>>::max_exponent - 4;
  return std::ldexp(1.0, std::clamp(std::ilogb(most), -largest, largest));
}

template <class T>
KrylovSolution<T>::KrylovSolution(Residuals<T> residuals, std::span<const T> b, std::span<T> x)
    : residuals_of_(std::move(residuals)), b_(b), x_(x), best_(x.begin(), x.end()), zeros_(b.size()) {
  error_.strict = error_.omega1 = std::numeric_limits<double>::infinity();
}

template <class T>
bool KrylovSolution<T>::look(std::span<T> r) {
  const ResidualColumn<T> column{b_, x_, r};
  const BackwardError error = residuals_of_(std::span(&column, 1)).front();
  if (!(error.strict < error_.strict)) {
    std::ranges::copy(best_, x_.begin());
    return false;
  }
  error_ = error;
  std::ranges::copy(x_, best_.begin());
  unit_ = unit_of<T>(r);
  scale<T>(r, 1 / unit_);
  return true;
}

template <class T>
void KrylovSolution<T>::multiply(std::span<const T> z, std::span<T> y) {
  const ResidualColumn<T> product{zeros_, z, y};
  residuals_of_(std::span(&product, 1));
  scale<T>(y, -1);  // 0 - A z
}

template <class T>
void KrylovSolution<T>::add(const T& alpha, std::span<const T> z) {
  add_to<T>(x_, alpha * static_cast<Real<T>>(unit_), z);
}

#define OVERLAPACK_INSTANTIATE(T)                                   \
  template T inner_product(std::span<const T>, std::span<const T>); \
  template double norm(std::span<const T>);                         \
  template void add_to(std::span<T>, const T&, std::span<const T>); \
  template void scale(std::span<T>, double);                        \
  template class KrylovSolution<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
