#include "api/machine/timing.hpp"
#include "base/random.hpp"
#include "kernels/product/blas_threads.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/small/dispatch.hpp"
#include "overlapack/probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sched.h>

namespace overlapack::probe {
namespace {

/// Seconds to spend on the measurement of each product.
constexpr double product_s = 0.005;

template <class T>
std::vector<T> random_matrix(Index rows, Index cols, Random& random) {
  std::vector<T> values(static_cast<std::size_t>(rows * cols));
  for (T& v : values) {
    if constexpr (ScalarTraits<T>::is_complex)
      v = T(random.uniform(-1, 1), random.uniform(-1, 1));
    else
      v = static_cast<T>(random.uniform(-1, 1));
  }
  return values;
}

/// C <- C - A B
template <class T>
void subtract_by_blas(Index m, Index n, Index k, const std::vector<T>& A, const std::vector<T>& B,
                      std::vector<T>& C) {
  kernels::gemm_by_blas<T>(kernels::Op::none, kernels::Op::none, T(-1), {A.data(), m, k, m},
                           {B.data(), k, n, k}, T(1), {C.data(), m, n, m});
}

MeasuredKernel measured_product(Index m, Index n, Index k) {
  Random random(1);
  const auto A = random_matrix<double>(m, k, random), B = random_matrix<double>(k, n, random);
  auto C = random_matrix<double>(m, n, random);
  const kernels::Cost cost = kernels::gemm_cost<double>(m, n, k);
  const double seconds =
      least_seconds<ThreadClock>([] {}, [&] { subtract_by_blas(m, n, k, A, B, C); }, product_s);
  return {"gemm", std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k), seconds,
          cost.flops, cost.bytes};
}

/// Measure the flop/s of a product by our own kernels for this processor, with operands in the first two caches. It is within a few per cent
/// of a core's peak (95 of 97 Gflop/s with AVX-512 at 3 GHz).
double core_rate() {
  constexpr Index m = 64, n = 48, k = 256;
  constexpr int calls = 20;  // of some 20 us
  Random random(1);
  const auto A = random_matrix<double>(m, k, random), B = random_matrix<double>(n, k, random);
  auto C = random_matrix<double>(m, n, random);
  const auto work = [&] {
    for (int call = 0; call < calls; ++call)
      kernels::small::kernels<double>().gemm(m, n, k, A.data(), m, B.data(), n, 1, false, true, C.data(), m);
  };
  return calls * kernels::gemm_cost<double>(m, n, k).flops /
         least_seconds<ThreadClock>([] {}, work, product_s);
}

/// Whether a product by the BLAS agrees with plain loops. The sizes are odd, so that the ends of the BLAS's loops run, too.
template <class T>
bool is_product_right() {
  constexpr Index m = 131, n = 77, k = 203;
  Random random(7);
  const auto A = random_matrix<T>(m, k, random), B = random_matrix<T>(k, n, random);
  auto C = random_matrix<T>(m, n, random);
  auto twin = C;
  subtract_by_blas(m, n, k, A, B, C);
  for (Index j = 0; j < n; ++j)
    for (Index p = 0; p < k; ++p)
      for (Index i = 0; i < m; ++i) twin[i + j * m] -= A[i + p * m] * B[p + j * k];
  const Real<T> tolerance =
      4 * (k + 2) * std::numeric_limits<Real<T>>::epsilon();  // of sums of k products up to 2 in size
  for (std::size_t i = 0; i < C.size(); ++i)
    if (!(std::abs(C[i] - twin[i]) <= 2 * tolerance)) return false;
  return true;
}

std::string wrong_types() {
  std::string wrong;
  const auto check = [&](bool is_right, const char* type) {
    if (!is_right) wrong += (wrong.empty() ? "" : ", ") + std::string(type);
  };
  check(is_product_right<float>(), "float32");
  check(is_product_right<double>(), "float64");
  check(is_product_right<std::complex<float>>(), "complex64");
  check(is_product_right<std::complex<double>>(), "complex128");
  return wrong;
}

}  // namespace

const BlasRates& blas_rates() {
  static const auto& rates = *new auto([] {
    const kernels::SingleThreadedBlas guard;
    BlasRates measured;
    measured.wrong_types = wrong_types();
    measured.core_flops_per_s = core_rate();
    for (const auto& [m, n, k] : {std::array<Index, 3>{1000, 64, 64}, {256, 256, 128}, {1000, 1000, 1000}}) {
      measured.products.push_back(measured_product(m, n, k));
      measured.core_flops_per_s = std::max(measured.core_flops_per_s, measured.flops_per_s());  // of the last
    }
    return measured;
  }());
  return rates;
}

std::vector<double> rates_of_cores() {
  constexpr int most = 64;
  cpu_set_t mine;
  CPU_ZERO(&mine);
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) return {};
  const int count = CPU_COUNT(&mine), stride = (count + most - 1) / most;
  std::vector<double> rates;
  const kernels::SingleThreadedBlas guard;
  for (int cpu = 0, seen = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &mine) || seen++ % stride != 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) continue;
    const MeasuredKernel product = measured_product(256, 256, 128);
    rates.push_back(product.flops / product.seconds);
  }
  sched_setaffinity(0, sizeof mine, &mine);
  return rates;
}

}  // namespace overlapack::probe
