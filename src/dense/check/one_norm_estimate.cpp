#include "dense/check/one_norm_estimate.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/operand.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace overlapack::dense {
namespace {

constexpr int most_steps = 5;

template <class T>
double norm_one(const std::vector<T>& v) {
  double sum = 0;
  for (const T& value : v) sum += static_cast<double>(std::abs(value));
  return sum;
}

/// v / |v| entry by entry, and 1 for a zero entry.
template <class T>
std::vector<T> signs_of(std::vector<T> v) {
  for (T& value : v) value = value == T(0) ? T(1) : value / std::abs(value);
  return v;
}

template <class T>
std::size_t position_of_largest(const std::vector<T>& v) {
  const auto by_size = [](const T& a, const T& b) { return std::abs(a) < std::abs(b); };
  return static_cast<std::size_t>(std::ranges::max_element(v, by_size) - v.begin());
}

/// The vector 1, -(1 + 1/(n-1)), 1 + 2/(n-1), ..., which gives a second lower bound in case the search stops too early.
template <class T>
std::vector<T> alternating_vector(Index n) {
  std::vector<T> x(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) {
    const auto size = static_cast<Real<T>>(1 + static_cast<double>(i) / static_cast<double>(n - 1));
    x[static_cast<std::size_t>(i)] = T(i % 2 == 0 ? size : -size);
  }
  return x;
}

}  // namespace

template <class T>
double estimate_one_norm(Index n, comm::FunctionRef<void(std::span<T>)> apply,
                         comm::FunctionRef<void(std::span<T>)> apply_adjoint) {
  if (n == 0) return 0;
  std::vector<T> v(static_cast<std::size_t>(n), T(1) / static_cast<Real<T>>(n));
  apply(v);
  double estimate = norm_one(v);
  if (n == 1) return estimate;
  std::size_t last = v.size();
  for (int step = 1; step < most_steps; ++step) {
    std::vector<T> z = signs_of(v);  // the subgradient of ||B x||_1 is B^H sign(B x)
    apply_adjoint(z);
    const std::size_t j = position_of_largest(z);
    if (last < z.size() && std::abs(z[j]) == std::abs(z[last])) break;
    last = j;
    std::ranges::fill(v, T(0));
    v[j] = T(1);
    apply(v);  // column j of B
    const double column = norm_one(v);
    if (column <= estimate) break;
    estimate = column;
  }
  std::vector<T> x = alternating_vector<T>(n);
  apply(x);
  return std::max(estimate, 2 * norm_one(x) / (3 * static_cast<double>(n)));
}

#define OVERLAPACK_INSTANTIATE(T)                                                    \
  template double estimate_one_norm<T>(Index, comm::FunctionRef<void(std::span<T>)>, \
                                       comm::FunctionRef<void(std::span<T>)>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
