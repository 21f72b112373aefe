// Residuals of a group of right-hand sides, compiled as level.cpp is, but without contraction: what rounding takes from a sum is
// found by subtractions that a fused multiply-add would change.
#include "kernels/small/table.hpp"

namespace overlapack::kernels::small {
extern const Residuals OVERLAPACK_SMALL_RESIDUALS;
#if defined(__FMA__) || defined(__aarch64__)
namespace {

constexpr int lanes = residual_lanes;

/// sum + low -= a x, with the rounding of product and sum kept in low.
/// Source  Ogita, Rump, Oishi 2005, algorithm Dot2
inline void subtract_product(double a, double x, double& sum, double& low) {
  const double product = a * x, lost = __builtin_fma(a, x, -product);
  const double difference = sum - product, back = difference - sum;
  low += ((sum - (difference - back)) - (product + back)) - lost;
  sum = difference;
}
/// A product of two single precision numbers is exact.
inline void subtract_product(float a, float x, double& sum, double&) {
  sum -= static_cast<double>(a) * static_cast<double>(x);
}

template <class R, int parts>
R modulus(const R* a) {
  if constexpr (parts == 1)
    return a[0] < 0 ? -a[0] : a[0];
  else if constexpr (sizeof(R) == 4)
    return __builtin_hypotf(a[0], a[1]);
  else
    return __builtin_hypot(a[0], a[1]);
}

/// One entry of A, conjugated where sign is -1.
template <class R, int parts>
inline void subtract(const R* a, R sign, const R* __restrict x, const R* __restrict size,
                     double* __restrict sum, double* __restrict low, R* __restrict weight) {
  const R re = a[0], size_a = modulus<R, parts>(a);
  if constexpr (parts == 1) {
#pragma omp simd
    for (int c = 0; c < lanes; ++c) subtract_product(re, x[c], sum[c], low[c]);
  } else {
    const R im = sign * a[1];
#pragma omp simd
    for (int c = 0; c < lanes; ++c) {
      subtract_product(re, x[c], sum[c], low[c]);
      subtract_product(-im, x[lanes + c], sum[c], low[c]);
    }
#pragma omp simd
    for (int c = lanes; c < 2 * lanes; ++c) {
      subtract_product(re, x[c], sum[c], low[c]);
      subtract_product(im, x[c - lanes], sum[c], low[c]);
    }
  }
#pragma omp simd
  for (int c = 0; c < lanes; ++c) weight[c] += size_a * size[c];
}

template <class R, int parts>
void residuals(const SparseColumns<R>& A, bool by_rows, bool conj, const R* x, const R* size, double* sum,
               double* low, R* weight) {
  const R sign = conj ? R(-1) : R(1);
  for (std::int64_t j = 0; j < A.cols; ++j)
    for (std::int64_t p = A.start[j]; p < A.start[j + 1]; ++p) {
      const std::int64_t from = (by_rows ? A.row[p] : j) * lanes, to = (by_rows ? j : A.row[p]) * lanes;
      subtract<R, parts>(A.value + p * parts, sign, x + from * parts, size + from, sum + to * parts,
                         low + to * parts, weight + to);
    }
}

}  // namespace

constinit const Residuals OVERLAPACK_SMALL_RESIDUALS = {residuals<float, 1>, residuals<float, 2>,
                                                        residuals<double, 1>, residuals<double, 2>};
#else
constinit const Residuals OVERLAPACK_SMALL_RESIDUALS = {};
#endif

}  // namespace overlapack::kernels::small
