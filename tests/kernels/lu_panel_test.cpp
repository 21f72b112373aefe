#include "kernels/pivoting/lu_panel.hpp"

#include "kernels/pivoting/panel_steps.hpp"
#include "kernels/reference/lu_panel.hpp"
#include "random_matrix.hpp"

#include <numeric>

namespace overlapack::kernels {
namespace {

template <class T>
struct LuPanelTest : ::testing::Test {
  Random random{3};

  static std::vector<std::int32_t> identity(Index n) {
    std::vector<std::int32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }

  /// P(row_order, column_order) = Lp Up + [0; S], |l| <= 1/u, and no delayed column could have been eliminated.
  static void verify(const Matrix<T>& P0, const Matrix<T>& P, Real<T> u, const LuPanelResult& result,
                     const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& cols) {
    const Index f = P.rows(), s = P.cols(), e = result.eliminated;
    for (Index j = 0; j < s; ++j)
      for (Index i = 0; i < f; ++i) {
        T product = i >= e && j >= e ? P(i, j) : T(0);
        double size = std::abs(product);
        for (Index p = 0; p <= std::min({i, j, e - 1}); ++p) {
          const T l = i == p ? T(1) : P(i, p);
          product += l * P(p, j);
          size += std::abs(l) * std::abs(P(p, j));
        }
        const T original = P0(i < s ? rows[i] : i, cols[j]);
        // |error| <= c (e + 2) eps (|L||U| + |S|), c = 8 also for complex numbers
        ASSERT_LE(std::abs(product - original), 8 * (e + 2) * eps<T> * size)
            << i << ' ' << j << " f " << f << " s " << s;
      }
    const double bound = (ScalarTraits<T>::is_complex ? std::sqrt(2.0) : 1.0) / u * (1 + 8 * eps<T>);
    for (Index j = 0; j < e; ++j)
      for (Index i = j + 1; i < f; ++i) ASSERT_LE(std::abs(P(i, j)), bound) << i << ' ' << j;
    Matrix<T> rest(f - e, s - e);
    for (Index j = e; j < s; ++j)
      for (Index i = e; i < f; ++i) rest(i - e, j - e) = P(i, j);
    for (Index j = e; j < s; ++j) {
      swap_first(rest, j - e);
      ASSERT_LT(reference::lu_pivot(rest.view(), 0, u), 0) << "column " << j << " was delayed without need";
    }
  }

  static void swap_first(Matrix<T>& A, Index j) {
    for (Index i = 0; i < A.rows(); ++i) std::swap(A(i, 0), A(i, j));
  }

  /// What each step tells of its exchanges must be what happened to the names.
  static Index in_steps(Matrix<T>& P, Real<T> u, std::vector<std::int32_t>& rows,
                        std::vector<std::int32_t>& cols, Index width) {
    std::vector<std::int32_t> told = rows;
    const auto steps = lu_panel_steps(P.view(), u, rows, cols);
    for (Index k = 0, e = 0; (e = steps->eliminate_next(width)) > 0; k += e) {
      EXPECT_LE(e, width);
      for (Index i = 0; i < e; ++i) std::swap(told[k + i], told[steps->exchanged()[i]]);
      for (const Tile& tile : steps->tiles_to_update(1)) steps->update(tile);
    }
    EXPECT_EQ(told, rows);
    return steps->eliminated();
  }

  /// Factorises P0 by all forms; returns how many pivots the fast form eliminated.
  Index check(const Matrix<T>& P0, Real<T> u) {
    for (const Index width : {-1, 1, 6, 16}) {  // -1: the slow twin
      auto P = P0;
      auto rows = identity(P.cols()), cols = identity(P.cols());
      LuPanelResult result;
      if (width < 0)
        result = reference::lu_panel(P.view(), u, rows, cols);
      else
        result.eliminated = in_steps(P, u, rows, cols, width);
      verify(P0, P, u, result, rows, cols);
      EXPECT_EQ(P.guards(), P0.guards());
    }
    auto P = P0;
    auto rows = identity(P.cols()), cols = identity(P.cols());
    const auto result = lu_panel(P.view(), u, rows, cols);
    verify(P0, P, u, result, rows, cols);
    EXPECT_EQ(P.guards(), P0.guards());
    return result.eliminated;
  }
};
TYPED_TEST_SUITE(LuPanelTest, AllScalars);

TYPED_TEST(LuPanelTest, RandomPanelsOfAllWidths) {
  for (Index s : {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 33, 64, 65, 100})
    for (Index below : {0, 1, 3, 8, 41}) {
      this->check(Matrix<TypeParam>::random(s + below, s, this->random), Real<TypeParam>(0.01));
      if (this->HasFatalFailure()) return;
    }
}

TYPED_TEST(LuPanelTest, RootEliminatesEverythingWithPartialPivoting) {
  for (Index s : {1, 6, 8, 40, 130}) {
    const auto P = Matrix<TypeParam>::random(s, s, this->random);
    EXPECT_EQ(this->check(P, Real<TypeParam>(1)), s);
  }
}

TYPED_TEST(LuPanelTest, TakesTheLargestOfWhatPassesAndTellsSizes) {
  using T = TypeParam;
  Matrix<T> P(3, 3);  // column 0: nothing on the diagonal, what would pass, the largest
  P(1, 0) = T(0.5), P(2, 0) = T(4), P(1, 1) = T(1), P(0, 2) = T(2);
  auto rows = this->identity(3), cols = rows;
  const auto result = lu_panel(P.view(), Real<T>(0.01), rows, cols);
  EXPECT_EQ(result.eliminated, 3);
  EXPECT_EQ(rows[0], 2);
  EXPECT_EQ(result.smallest_pivot, 1);
  EXPECT_EQ(result.largest_pivot, 4);
}

TYPED_TEST(LuPanelTest, LargeRowsBelowForceDelays) {
  using T = TypeParam;
  for (Index s : {2, 4, 9, 16, 40, 70}) {
    auto P = Matrix<T>::random(s + 30, s, this->random);
    for (Index j = 0; j < s; j += 2)  // every second column is dominated by a row that may not be a pivot
      P(s + static_cast<Index>(this->random.below(30)), j) *= T(1000);
    EXPECT_LT(this->check(P, Real<T>(0.01)), s);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(LuPanelTest, ColumnsBecomeAcceptableAfterOthers) {
  using T = TypeParam;
  // Column j fails until column j + 1 is eliminated: its fully summed part is zero before.
  for (Index s : {2, 5, 8, 9, 20, 33}) {
    Matrix<T> P(s + 1, s);
    for (Index j = 0; j < s; ++j) {
      P(j, j) = j + 1 == s ? T(2) : T(0);
      if (j + 1 < s) P(s - 1 - j, j) = T(0);
      P(s, j) = T(1);
    }
    for (Index j = 0; j + 1 < s; ++j) P(j, j + 1) = T(1), P(j + 1, j) = T(1);
    this->check(P, Real<T>(0.5));
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(LuPanelTest, ZeroAndDependentColumnsAreDelayed) {
  using T = TypeParam;
  for (Index s : {1, 2, 4, 8, 11, 32, 50}) {
    EXPECT_EQ(this->check(Matrix<T>(s + 5, s), Real<T>(0.01)), 0);
    auto P = Matrix<T>::random(s + 5, s, this->random);
    for (Index i = 0; i < s; ++i) P(i, s / 2) = T(0);  // nothing fully summed in this column, much below
    EXPECT_LE(this->check(P, Real<T>(0.01)), s);
    for (Index i = 0; i < s + 5; ++i) P(i, s / 2) = T(0);
    EXPECT_EQ(this->check(P, Real<T>(0.0001)), s - 1);
    if (this->HasFatalFailure()) return;
  }
}

TYPED_TEST(LuPanelTest, KeepsAnAcceptableDiagonal) {
  using T = TypeParam;
  auto P = Matrix<T>::random(60, 40, this->random);
  for (Index j = 0; j < 40; ++j) P(j, j) += T(80);
  auto rows = this->identity(40), cols = this->identity(40);
  const auto result = lu_panel(P.view(), Real<T>(0.01), rows, cols);
  EXPECT_EQ(result.eliminated, 40);
  EXPECT_EQ(result.exchanges, 0);
  EXPECT_EQ(rows, this->identity(40));
  EXPECT_EQ(cols, this->identity(40));
  EXPECT_GT(result.smallest_pivot, 10);
}

}  // namespace
}  // namespace overlapack::kernels
