#include "api/refine/krylov_solution.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/norm.hpp"
#include "kernels/product/vectors.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace overlapack::api {

template <class T>
KrylovSolution<T>::KrylovSolution(Residuals<T> residuals, std::span<const T> b, std::span<T> x,
                                  Product<T> multiply)
    : residuals_of_(std::move(residuals)),
      multiply_(std::move(multiply)),
      b_(b),
      x_(x),
      best_(x.begin(), x.end()),
      zeros_(b.size()) {
  error_.strict = error_.omega1 = std::numeric_limits<double>::infinity();
}

template <class T>
bool KrylovSolution<T>::update_residual(std::span<T> r) {
  const ResidualColumn<T> column{b_, x_, r};
  const BackwardError error = residuals_of_(std::span(&column, 1)).front();
  if (!(error.strict < error_.strict)) {
    std::ranges::copy(best_, x_.begin());
    return false;
  }
  error_ = error;
  std::ranges::copy(x_, best_.begin());
  unit_ = kernels::power_of_two_near_largest<T>(r);
  kernels::scale<T>(r, 1 / unit_);
  return true;
}

template <class T>
void KrylovSolution<T>::multiply(std::span<const T> z, std::span<T> y) {
  if (multiply_) return multiply_(z, y);
  const ResidualColumn<T> product{zeros_, z, y};
  residuals_of_(std::span(&product, 1));
  kernels::scale<T>(y, -1);  // 0 - A z
}

template <class T>
void KrylovSolution<T>::add(const T& alpha, std::span<const T> z) {
  kernels::add_multiple_to<T>(x_, alpha * static_cast<Real<T>>(unit_), z);
}

OVERLAPACK_INSTANTIATE_CLASS(KrylovSolution);

}  // namespace overlapack::api
