#include "api/refine/error_analysis.hpp"

#include "base/instantiate.hpp"
#include "dense/check/one_norm_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace overlapack::api {
namespace {

double largest_of(std::span<const double> values) {
  const auto most = std::ranges::max_element(values);
  return most == values.end() ? 0 : *most;
}

/// || |A^{-1}| w ||_oo = || W A^{-H} ||_1;  A^{-T} and A^{-H} have the same moduli.
template <class T>
double norm_of_inverse_times(std::span<const double> w, kernels::Op op, const DrivenSolve<T>& solve) {
  using kernels::Op;
  const double size = largest_of(w);
  if (!(size > 0)) return 0;
  const Op straight = op == Op::none ? Op::none : Op::conj_trans;
  const Op adjoint = op == Op::none ? Op::conj_trans : Op::none;
  const auto scale = [&](std::span<T> v) {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] *= static_cast<Real<T>>(w[i] / size);
  };
  return size * dense::estimate_one_norm<T>(
                    static_cast<Index>(w.size()),
                    [&](std::span<T> v) {
                      solve(adjoint, v.data(), 1);
                      scale(v);
                    },
                    [&](std::span<T> v) {
                      scale(v);
                      solve(straight, v.data(), 1);
                    });
}

}  // namespace

template <class T>
ErrorBound bound_error(const BackwardError& error, const RowWeights& weights, kernels::Op op,
                       std::span<const T> x, const DrivenSolve<T>& solve) {
  double x_max = 0;
  for (const T& value : x) x_max = std::max<double>(x_max, std::abs(value));
  if (!(x_max > 0)) return {};
  ErrorBound bound;
  bound.condition1 = norm_of_inverse_times<T>(weights.meaningful, op, solve) / x_max;
  bound.condition2 = norm_of_inverse_times<T>(weights.rounding, op, solve) / x_max;
  bound.forward = error.omega1 * bound.condition1 + error.omega2 * bound.condition2;
  return bound;
}

template <class T>
double reciprocal_condition(Index n, double norm, double root, const DrivenSolve<T>& solve) {
  const auto apply_inverse = [&](kernels::Op op, std::span<T> v) {
    const auto scale = [&] {
      for (T& value : v) value *= static_cast<Real<T>>(root);
    };
    scale();
    solve(op, v.data(), 1);
    scale();
  };
  const double inverse = dense::estimate_one_norm<T>(
      n, [&](std::span<T> v) { apply_inverse(kernels::Op::none, v); },
      [&](std::span<T> v) { apply_inverse(kernels::Op::conj_trans, v); });
  return 1 / norm / inverse;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                           \
  template ErrorBound bound_error(const BackwardError&, const RowWeights&, kernels::Op, std::span<const T>, \
                                  const DrivenSolve<T>&);                                                   \
  template double reciprocal_condition(Index, double, double, const DrivenSolve<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
