#include "kernels/product/orthogonalise.hpp"

#include "kernels/product/norm.hpp"
#include "kernels/product/vectors.hpp"
#include "random_values.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <limits>

namespace overlapack::kernels {
namespace {

/// A basis of more numbers than a piece, each vector made orthogonal to those before; then one that is nearly in their span.
template <class T>
void test_basis(std::size_t n) {
  const double epsilon = std::numeric_limits<Real<T>>::epsilon();
  std::vector<std::vector<T>> V;
  for (int k = 0; k < 6; ++k) {
    std::vector<T> w = random_vector<T>(static_cast<Index>(n), static_cast<std::uint64_t>(k)),
                   along(V.size());
    if (k == 5) {
      const std::vector<T> little = w;
      std::fill(w.begin(), w.end(), T(0));
      for (const auto& v : V) add_multiple_to<T>(w, T(1), v);
      add_multiple_to<T>(w, T(Real<T>(1e4 * epsilon)), little);
    }
    const std::vector<T> before = w;
    const double left = orthogonalise<T>(V, w, along);
    EXPECT_NEAR(left, norm2<T>(w), 10 * epsilon * left);
    std::vector<T> again = w;  // w + V along is what it was
    for (std::size_t j = 0; j < V.size(); ++j) add_multiple_to<T>(again, along[j], V[j]);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(std::abs(again[i] - before[i]), 0, 100 * epsilon);
    scale<T>(w, 1 / left);
    for (const auto& v : V) EXPECT_LE(std::abs(inner_product<T>(v, w)), 2e3 * epsilon);
    V.push_back(w);
  }
}

TEST(Orthogonalise, VectorsAreOrthogonalAndTheirSumIsKept) {
  test_basis<double>(3000);
  test_basis<double>(7);
  test_basis<float>(5000);
  test_basis<std::complex<double>>(1500);
}

TEST(Orthogonalise, OfNothingIsTheNorm) {
  std::vector<double> w{3, 4};
  EXPECT_EQ(orthogonalise<double>({}, w, {}), 5);
}

}  // namespace
}  // namespace overlapack::kernels
