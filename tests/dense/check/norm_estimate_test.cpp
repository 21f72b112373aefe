#include "base/random.hpp"
#include "dense/check/one_norm_estimate.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <vector>

namespace overlapack::dense {
namespace {

template <class T>
class EstimateOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(EstimateOf, Types);

template <class T>
struct Product {
  const std::vector<T>& B;  ///< n x n by columns
  bool adjoint;
  int& calls;
  void operator()(std::span<T> x) {
    const std::size_t n = x.size();
    std::vector<T> y(n, T(0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) y[i] += (adjoint ? conjugate(B[j + i * n]) : B[i + j * n]) * x[j];
    std::copy(y.begin(), y.end(), x.begin());
    ++calls;
  }
};

template <class T>
double norm_one(const std::vector<T>& B, std::size_t n) {
  double most = 0;
  for (std::size_t j = 0; j < n; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += std::abs(B[i + j * n]);
    most = std::max(most, sum);
  }
  return most;
}

TYPED_TEST(EstimateOf, RandomMatricesLiesBetweenAThirdAndAllOfTheNorm) {
  using T = TypeParam;
  Random random(12);
  for (const std::size_t n : {1, 2, 3, 10, 40})
    for (int round = 0; round < 20; ++round) {
      std::vector<T> B(n * n);
      for (T& b : B) b = T(static_cast<Real<T>>(random.uniform(-1, 1)));
      int calls = 0;
      Product<T> plain{B, false, calls}, adjoint{B, true, calls};
      const double estimate = estimate_one_norm<T>(static_cast<Index>(n), plain, adjoint);
      const double norm = norm_one(B, n),
                   slack = 1 + 4 * static_cast<double>(n) * std::numeric_limits<Real<T>>::epsilon();
      EXPECT_LE(estimate, norm * slack);
      EXPECT_GE(estimate * slack, norm / 3);
      EXPECT_LE(calls, 11);
    }
}

TYPED_TEST(EstimateOf, OneLargeEntryIsFound) {
  using T = TypeParam;
  const std::size_t n = 30;
  std::vector<T> B(n * n, T(0));
  B[7 + 19 * n] = T(5);
  int calls = 0;
  Product<T> plain{B, false, calls}, adjoint{B, true, calls};
  EXPECT_EQ(estimate_one_norm<T>(n, plain, adjoint), 5);
  EXPECT_EQ(estimate_one_norm<T>(0, plain, adjoint), 0);
}

}  // namespace
}  // namespace overlapack::dense
