#include "kernels/product/triangular.hpp"

#include "kernels/reference/triangular.hpp"
#include "random_matrix.hpp"

namespace overlapack::kernels {
namespace {

/// A well-conditioned triangle: off-diagonal entries at most 1/n. The other triangle holds NaN: it must not be read.
template <class T>
Matrix<T> triangle(Index n, bool lower, bool unit, Random& random) {
  const Real<T> nan = std::numeric_limits<Real<T>>::quiet_NaN();
  auto L = Matrix<T>::random(n, n, random);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      if (i == j)
        L(i, j) = unit ? T(nan) : T(2) + L(i, j);
      else
        L(i, j) = (i > j) == lower ? L(i, j) / T(n) : T(nan);
    }
  return L;
}

template <class T>
struct TriangularTest : ::testing::Test {
  Random random{11};

  template <class Solve, class Reference>
  void compare(bool lower, bool right, Solve solve, Reference twin) {
    for (bool unit : {false, true})
      for (bool conj : {false, true})
        for (Index n : {0, 1, 2, 3, 7, 8, 9, 16, 23, 64, 70})
          for (Index m : {0, 1, 2, 5, 33}) {
            const auto L = triangle<T>(n, lower, unit, random);
            auto X = right ? Matrix<T>::random(m, n, random) : Matrix<T>::random(n, m, random);
            auto expected = X;
            solve(L.view(), unit, conj, X.view());
            twin(L.view(), unit, conj, expected.view());
            // |inverse| <= e in the maximum norm for this triangle, |X| <= 4: 2 n eps per inner product, twice
            ASSERT_TRUE(all_near<T>(X, expected, 4 * 4 * 3 * (n + 2) * eps<T>))
                << n << ' ' << m << ' ' << unit << conj;
            ASSERT_EQ(X.guards(), expected.guards());
          }
  }
};
TYPED_TEST_SUITE(TriangularTest, AllScalars);

TYPED_TEST(TriangularTest, RightLowerTrans) {
  this->compare(
      true, true, [](auto L, bool unit, bool conj, auto X) { solve_right_lower_trans(L, unit, conj, X); },
      [](auto L, bool unit, bool conj, auto X) { reference::solve_right_lower_trans(L, unit, conj, X); });
}

TYPED_TEST(TriangularTest, LeftLower) {
  this->compare(
      true, false, [](auto L, bool unit, bool, auto X) { solve_left_lower(L, unit, X); },
      [](auto L, bool unit, bool, auto X) { reference::solve_left_lower(L, unit, X); });
}

TYPED_TEST(TriangularTest, LeftLowerTrans) {
  this->compare(
      true, false, [](auto L, bool unit, bool conj, auto X) { solve_left_lower_trans(L, unit, conj, X); },
      [](auto L, bool unit, bool conj, auto X) { reference::solve_left_lower_trans(L, unit, conj, X); });
}

TYPED_TEST(TriangularTest, LeftUpper) {
  this->compare(
      false, false, [](auto U, bool unit, bool, auto X) { solve_left_upper(U, unit, X); },
      [](auto U, bool unit, bool, auto X) { reference::solve_left_upper(U, unit, X); });
}

TYPED_TEST(TriangularTest, LeftUpperTrans) {
  this->compare(
      false, false, [](auto U, bool unit, bool conj, auto X) { solve_left_upper_trans(U, unit, conj, X); },
      [](auto U, bool unit, bool conj, auto X) { reference::solve_left_upper_trans(U, unit, conj, X); });
}

/// Small integers times a number whose inverse is infinite: nothing is rounded, and x are the integers 1, 2, ...
TYPED_TEST(TriangularTest, DiagonalsWithoutAFiniteInverse) {
  using T = TypeParam;
  const Real<T> tiny = std::numeric_limits<Real<T>>::min() / 32;
  ASSERT_TRUE(std::isinf(1 / tiny));
  const auto number = [&](Index k) { return T(static_cast<Real<T>>(k) * tiny); };
  for (const Index n : {1, 3, 8, 11}) {
    auto L = triangle<T>(n, true, false, this->random), U = triangle<T>(n, false, false, this->random);
    auto lower = Matrix<T>::random(n, 2, this->random), upper = lower;  // L x and L^T x
    auto right = Matrix<T>::random(2, n, this->random);                 // X L^T
    for (Index i = 0; i < n; ++i) {
      Index of_lower = 0, of_upper = 0;
      for (Index j = 0; j < n; ++j) {
        const Index entry = 1 + (i + j) % 2;  // of the symmetric matrix whose halves L and U are
        if (j <= i) L(i, j) = number(entry), of_lower += entry * (j + 1);
        if (j >= i) U(i, j) = number(entry), of_upper += entry * (j + 1);
      }
      for (Index k = 0; k < 2; ++k)
        lower(i, k) = right(k, i) = number(of_lower), upper(i, k) = number(of_upper);
    }
    const auto expect_integers = [&](auto solve, Matrix<T> X, bool is_transposed) {
      solve(X.view());
      for (Index i = 0; i < n; ++i)
        for (Index k = 0; k < 2; ++k)
          EXPECT_EQ(is_transposed ? X(k, i) : X(i, k), T(static_cast<Real<T>>(i + 1)));
    };
    for (const bool conj : {false, true}) {
      expect_integers([&](auto X) { solve_right_lower_trans<T>(L.view(), false, conj, X); }, right, true);
      expect_integers([&](auto X) { solve_left_lower_trans<T>(L.view(), false, conj, X); }, upper, false);
      expect_integers([&](auto X) { solve_left_upper_trans<T>(U.view(), false, conj, X); }, lower, false);
    }
    expect_integers([&](auto X) { solve_left_lower<T>(L.view(), false, X); }, lower, false);
    expect_integers([&](auto X) { solve_left_upper<T>(U.view(), false, X); }, upper, false);
    expect_integers([&](auto X) { solve_right_upper<T>(U.view(), false, X); }, right, true);
  }
}

/// The twin itself: L (L^{-1} B) = B.
TYPED_TEST(TriangularTest, ReferenceInvertsMultiplication) {
  using T = TypeParam;
  const Index n = 13;
  const auto L = triangle<T>(n, true, false, this->random);
  const auto B = Matrix<T>::random(n, 2, this->random);
  auto X = B;
  reference::solve_left_lower(L, false, X.view());
  for (Index j = 0; j < 2; ++j)
    for (Index i = 0; i < n; ++i) {
      T sum(0);
      for (Index p = 0; p <= i; ++p) sum += L(i, p) * X(p, j);
      EXPECT_LE(std::abs(sum - B(i, j)), 16 * n * eps<T>);
    }
}

}  // namespace
}  // namespace overlapack::kernels
