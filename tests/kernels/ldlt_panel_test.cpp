#include "kernels/pivoting/ldlt_panel.hpp"

#include "kernels/pivoting/pair_pivot.hpp"
#include "kernels/pivoting/panel_steps.hpp"
#include "kernels/reference/ldlt_panel.hpp"
#include "kernels/update/swap.hpp"
#include "random_matrix.hpp"

#include <numeric>

namespace overlapack::kernels {
namespace {

/// Entry (i, j) of the symmetric or Hermitian front whose lower part is P.
template <class T>
T full_entry(const Matrix<T>& P, bool hermitian, Index i, Index j) {
  if (i == j && hermitian) return T(std::real(P(i, i)));
  if (i >= j) return P(i, j);
  return hermitian ? conjugate(P(j, i)) : P(j, i);
}

template <class T>
struct LdltPanelTest : ::testing::Test {
  Random random{5};

  static std::vector<std::int32_t> identity(Index n) {
    std::vector<std::int32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }

  /// P(order, order) = L D L^T + S and |l| <= 1/u.
  static void verify(const Matrix<T>& P0, const Matrix<T>& P, bool hermitian, Real<T> u,
                     const LdltPanelResult& result, const std::vector<std::int32_t>& order,
                     const std::vector<T>& d, const std::vector<T>& d_off) {
    const Index f = P.rows(), s = P.cols(), e = result.eliminated;
    Matrix<T> L(f, e), W(f, e);
    for (Index j = 0; j < e; ++j)
      for (Index i = j; i < f; ++i) L(i, j) = i == j ? T(1) : P(i, j);
    scale_by_d(L.view(), hermitian, d, d_off, W.view());
    Matrix<double> magnitudes(f, e);  // |L||D|
    for (Index k = 0; k < e; ++k)
      for (Index i = 0; i < f; ++i) {
        magnitudes(i, k) += std::abs(L(i, k)) * std::abs(d[k]);
        if (d_off[k] == T(0)) continue;
        // l = x E^{-1} is wrong by eps |E^{-1}| |x| <= eps / u (the pivot test), not by eps |l|
        magnitudes(i, k) += (std::abs(L(i, k + 1)) + 1 / u) * std::abs(d_off[k]) + std::abs(d[k]) / u;
        magnitudes(i, k + 1) += (std::abs(L(i, k)) + 1 / u) * std::abs(d_off[k]) + std::abs(d[k + 1]) / u;
      }
    for (Index j = 0; j < s; ++j)
      for (Index i = j; i < f; ++i) {
        T product = i >= e && j >= e ? P(i, j) : T(0);
        double size = std::abs(product);
        for (Index p = 0; p < e; ++p) {
          product += W(i, p) * (hermitian ? conjugate(L(j, p)) : L(j, p));
          size += magnitudes(i, p) * std::abs(L(j, p));
        }
        const T original = i < s ? full_entry(P0, hermitian, order[i], order[j]) : P0(i, order[j]);
        // |error| <= c (e + 2) eps (|L||D||L^T| + |S|); 2x2 pivots cost a factor: det(E) loses at most half
        // (test), so c = 32, also for complex numbers
        ASSERT_LE(std::abs(product - original), 32 * (e + 2) * eps<T> * size)
            << i << ' ' << j << " f " << f << " s " << s;
      }
    const double bound = (ScalarTraits<T>::is_complex ? std::sqrt(2.0) : 1.0) / u * (1 + 64 * eps<T>);
    for (Index j = 0; j < e; ++j)
      for (Index i = j + 1; i < f; ++i) ASSERT_LE(std::abs(P(i, j)), bound) << i << ' ' << j;
    Index pairs = 0;
    for (Index k = 0; k < e; ++k)
      if (d_off[k] != T(0)) {
        ++pairs;
        ASSERT_EQ(P(k + 1, k), T(0));
        ASSERT_EQ(d_off[k + 1], T(0));
      }
    ASSERT_EQ(pairs, result.two_by_two);
    for (Index k = e; k < s; ++k) {  // no 1x1 pivot was left
      Real<T> column_max = 0;
      for (Index i = e; i < f; ++i)
        if (i != k)
          column_max = std::max(column_max, magnitude(i < s ? full_entry(P, false, i, k) : P(i, k)));
      ASSERT_TRUE(magnitude(P(k, k)) < u * column_max || P(k, k) == T(0))
          << "column " << k << " delayed without need";
    }
  }

  LdltPanelResult check(const Matrix<T>& P0, bool hermitian, Real<T> u) {
    LdltPanelResult results[2];
    for (bool fast : {false, true}) {
      auto P = P0;
      auto order = identity(P.cols());
      std::vector<T> d(P.cols()), d_off(P.cols());
      results[fast] = fast ? ldlt_panel(P.view(), hermitian, u, order, d, d_off)
                           : reference::ldlt_panel(P.view(), hermitian, u, order, d, d_off);
      verify(P0, P, hermitian, u, results[fast], order, d, d_off);
      EXPECT_EQ(P.guards(), P0.guards());
    }
    {  // those that pass in their positions, then a search among the others
      auto P = P0;
      const Index f = P.rows(), s = P.cols();
      auto order = identity(s);
      std::vector<T> d(s), d_off(s);
      LdltPanelResult result = ldlt_in_order(P.view(), hermitian, u, std::span<T>(d), 0);
      const Index e = result.eliminated;
      const std::span rest(order.data() + e, order.size() - static_cast<std::size_t>(e));
      const auto more = ldlt_panel(P.view().block(e, e, f - e, s - e), hermitian, u, rest,
                                   std::span(d).subspan(static_cast<std::size_t>(e)),
                                   std::span(d_off).subspan(static_cast<std::size_t>(e)));
      std::vector<std::int32_t> exchanged(rest.begin(), rest.end());
      for (std::int32_t& k : exchanged) k -= static_cast<std::int32_t>(e);
      std::vector<T> work(static_cast<std::size_t>(f));
      permute_rows(P.view().block(e, 0, s - e, e), std::span<const std::int32_t>(exchanged),
                   std::span<T>(work));
      result.eliminated += more.eliminated;
      result.two_by_two += more.two_by_two;
      result.negative += more.negative;
      verify(P0, P, hermitian, u, result, order, d, d_off);
      if (result.eliminated == s && results[1].eliminated == s) {
        EXPECT_EQ(result.negative, results[1].negative);
      }
      EXPECT_EQ(P.guards(), P0.guards());
    }
    for (const Index width : {1, 2, 7, 32}) {
      auto P = P0;
      auto order = identity(P.cols());
      std::vector<T> d(P.cols()), d_off(P.cols());
      const auto steps =
          ldlt_panel_steps(P.view(), hermitian, u, order, std::span<T>(d), std::span<T>(d_off));
      while (steps->eliminate_next(width) > 0)
        for (const Tile& tile : steps->tiles_to_update(1)) steps->update(tile);
      LdltPanelResult result;
      result.eliminated = steps->eliminated();
      result.two_by_two = steps->two_by_two();
      verify(P0, P, hermitian, u, result, order, d, d_off);
      EXPECT_EQ(result.eliminated == P.cols(), results[1].eliminated == P.cols());
    }
    return results[1];
  }
};
TYPED_TEST_SUITE(LdltPanelTest, AllScalars);

TYPED_TEST(LdltPanelTest, RandomPanelsOfAllWidths) {
  for (bool hermitian : {false, true})
    for (Index s : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 48, 64, 65, 100})
      for (Index below : {0, 1, 3, 8, 41}) {
        this->check(Matrix<TypeParam>::random(s + below, s, this->random), hermitian, Real<TypeParam>(0.01));
        if (this->HasFatalFailure()) return;
      }
}

TYPED_TEST(LdltPanelTest, SaddlePointsNeedTwoByTwoPivots) {
  using T = TypeParam;
  for (bool hermitian : {false, true})
    for (Index half : {1, 2, 4, 8, 13, 16, 40}) {
      auto P = Matrix<T>::random(2 * half, 2 * half, this->random);  // [0 B^T; B 0], B dense
      for (Index j = 0; j < half; ++j)
        for (Index i = 0; i < half; ++i) P(i, j) = P(half + i, half + j) = T(0);
      const auto result = this->check(P, hermitian, Real<T>(0.01));
      EXPECT_EQ(result.eliminated, 2 * half);
      EXPECT_GT(result.two_by_two, 0);
      if (!ScalarTraits<T>::is_complex || hermitian) {
        EXPECT_EQ(result.negative, half);
      }
      if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST(LdltPanelTest, APartnerThatPassesAloneIsNoPair) {
  Matrix<TypeParam> P(2, 2);  // [0 1; 1 5]
  P(1, 0) = TypeParam(1), P(1, 1) = TypeParam(5);
  const auto result = this->check(P, false, Real<TypeParam>(0.01));
  EXPECT_EQ(result.eliminated, 2);
  EXPECT_EQ(result.two_by_two, 0);
}

// Columns 0 and 2 would be a pair, but for the row between them.
TYPED_TEST(LdltPanelTest, ALargeEntryBetweenPartnersParts) {
  Matrix<TypeParam> P(4, 4);
  P(2, 0) = TypeParam(1), P(2, 1) = TypeParam(1000), P(3, 3) = TypeParam(1);
  this->check(P, false, Real<TypeParam>(0.01));
}

TYPED_TEST(LdltPanelTest, PartnersMeetAcrossBlocks) {
  using T = TypeParam;
  for (bool hermitian : {false, true})
    for (Index half : {5, 8, 16, 33, 64}) {
      Matrix<T> P(2 * half + 3,
                  2 * half);  // [0 I; I 0] and little below: each column has one partner, far away
      for (Index j = 0; j < half; ++j) P(half + j, j) = random_scalar<T>(this->random) + T(3);
      for (Index j = 0; j < 2 * half; ++j)
        for (Index i = 2 * half; i < 2 * half + 3; ++i) P(i, j) = random_scalar<T>(this->random);
      const auto result = this->check(P, hermitian, Real<T>(0.01));
      EXPECT_EQ(result.eliminated, 2 * half);
      EXPECT_EQ(result.two_by_two, half);
      if (this->HasFatalFailure()) return;
    }
}

// Column 1 has the largest entry of column 5, but not the other way round; 3 and 4, the largest pair, are kept apart by the row below.
// Column 5 stands before 1 when partners are looked for: the first round, which eliminates nothing, has turned the order round.
TYPED_TEST(LdltPanelTest, AColumnThatNobodyElseTakesIsAPartner) {
  using T = TypeParam;
  Matrix<T> P(7, 6);
  P(4, 3) = T(10), P(4, 1) = T(9), P(5, 1) = T(8), P(6, 4) = T(100000);
  auto order = this->identity(6);
  std::vector<T> d(6), d_off(6);
  const auto steps =
      ldlt_panel_steps(P.view(), false, Real<T>(0.01), order, std::span<T>(d), std::span<T>(d_off));
  EXPECT_EQ(steps->eliminate_next(2), 2);
  EXPECT_EQ(magnitude(d_off[0]), 8);
}

TYPED_TEST(LdltPanelTest, LargeRowsBelowForceDelays) {
  using T = TypeParam;
  for (Index s : {1, 2, 9, 16, 40, 70}) {
    auto P = Matrix<T>::random(s + 30, s, this->random);
    for (Index j = 0; j < s; j += 2) P(s + static_cast<Index>(this->random.below(30)), j) *= T(10000);
    EXPECT_LT(this->check(P, false, Real<T>(0.01)).eliminated, s);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(LdltPanelTest, ZeroColumnsAreDelayed) {
  using T = TypeParam;
  for (Index s : {1, 2, 7, 16, 17, 40}) {
    EXPECT_EQ(this->check(Matrix<T>(s + 2, s), false, Real<T>(0.01)).eliminated, 0);
    auto P = Matrix<T>::random(s, s, this->random);
    for (Index i = 0; i < s; ++i) P(i, s / 2) = P(s / 2, i) = T(0);
    EXPECT_EQ(this->check(P, true, Real<T>(0.01)).eliminated, s - 1);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(LdltPanelTest, CountsNegativeEigenvalues) {
  using T = TypeParam;
  for (Index s : {6, 20, 50}) {
    auto P = Matrix<T>::random(s, s, this->random);
    for (Index j = 0; j < s; ++j)
      P(j, j) = T(j % 3 == 0 ? -2 * s : 2 * s);  // diagonally dominant: signs of the diagonal
    const auto result = this->check(P, true, Real<T>(0.01));
    EXPECT_EQ(result.negative, (s + 2) / 3);
    EXPECT_EQ(result.exchanges, 0);
    EXPECT_GE(result.smallest_pivot, s);
  }
}

// Panels take a definite pair as two pivots; who goes by columns (ColumnLdlt) may take it as one.
TYPED_TEST(LdltPanelTest, APairTellsItsNegativeEigenvalues) {
  using T = TypeParam;
  const auto negative = [](int a, int b, int c) { return PairPivot<T>(T(a), T(b), T(c), true).negative(); };
  EXPECT_EQ(negative(1, 10, 1000), 0);
  EXPECT_EQ(negative(1, 40, 1000), 1);
  EXPECT_EQ(negative(-1, 10, -1000), 2);
}

TYPED_TEST(LdltPanelTest, SolveInvertsD) {
  using T = TypeParam;
  const Index e = 7;
  for (bool hermitian : {false, true}) {
    std::vector<T> d(e), d_off(e);
    for (Index k = 0; k < e; ++k)
      d[k] = hermitian ? T(static_cast<Real<T>>(k + 1)) : random_scalar<T>(this->random) + T(2);
    d_off[1] = random_scalar<T>(this->random) + T(5);
    d_off[4] = random_scalar<T>(this->random) + T(9);
    auto X = Matrix<T>::random(e, 3, this->random);
    const auto X0 = X;
    solve_d(hermitian, d, d_off, X.view());
    Matrix<T> D(e, e), unit(e, e);
    for (Index k = 0; k < e; ++k) unit(k, k) = T(1);
    scale_by_d(unit.view(), hermitian, d, d_off, D.view());
    for (Index j = 0; j < 3; ++j)
      for (Index i = 0; i < e; ++i) {
        T sum(0);
        for (Index p = 0; p < e; ++p) sum += D(i, p) * X(p, j);
        EXPECT_LE(std::abs(sum - X0(i, j)), 200 * eps<T>) << i;  // cond of the blocks < 50, 4 operations
      }
  }
}

}  // namespace
}  // namespace overlapack::kernels
