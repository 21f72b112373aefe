#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/pivoting/panel_steps.hpp"
#include "random_matrix.hpp"

#include <cmath>
#include <numeric>

namespace overlapack::kernels {
namespace {

/// What each way of eliminating comes to.
template <class T>
struct Signed {
  Matrix<T> P;
  std::vector<T> d;
  MendedPivots mended;
  Index negative = 0;
};

template <class T>
struct PivotSignsTest : ::testing::Test {
  Random random{11};
  std::vector<std::int8_t> sign;
  std::vector<double> size;

  PivotSigns<T> signs(double shift) const {
    return {.sign = sign.data(), .size = size.data(), .shift = shift, .least = 0.4, .replacement = 0.5};
  }

  /// Dominant diagonal with these signs, but for some that are zero or the wrong way.
  Matrix<T> front(Index f, Index s) {
    auto P = Matrix<T>::random(f, s, random);
    sign.assign(static_cast<std::size_t>(s), 1);
    size.assign(static_cast<std::size_t>(s), 0);
    for (Index j = 0; j < s; ++j) {
      sign[static_cast<std::size_t>(j)] = random.below(2) == 0 ? 1 : -1;
      const double entry = static_cast<double>(f) * (j % 7 == 3 ? 0 : j % 11 == 5 ? -1 : 1);
      P(j, j) = T(static_cast<Real<T>>(entry * sign[static_cast<std::size_t>(j)]));
      size[static_cast<std::size_t>(j)] = static_cast<double>(f);
    }
    return P;
  }

  /// The textbook's loops, on the lower part.
  Signed<T> plain(Matrix<T> P, double shift) const {
    Signed<T> made{P, std::vector<T>(sign.size()), {}, 0};
    const Index f = P.rows(), s = P.cols();
    for (Index k = 0; k < s; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const double along = static_cast<double>(std::real(made.P(k, k))) * sign[at] + shift * size[at];
      const bool is_taken = along >= 0.4 * size[at];
      if (!is_taken) ++made.mended.replaced, made.mended.wrong_sign += along < 0;
      made.d[at] =
          T(static_cast<Real<T>>((is_taken ? along : std::max(std::abs(along), 0.5 * size[at])) * sign[at]));
      made.negative += std::real(made.d[at]) < 0;
      for (Index i = k + 1; i < f; ++i) made.P(i, k) /= made.d[at];
      for (Index j = k + 1; j < s; ++j)
        for (Index i = j; i < f; ++i) made.P(i, j) -= made.P(i, k) * made.d[at] * conjugate(made.P(j, k));
    }
    return made;
  }

  Signed<T> by(const Matrix<T>& P0, double shift, Index width) {
    Signed<T> made{P0, std::vector<T>(sign.size()), {}, 0};
    const Index s = P0.cols();
    std::vector<std::int32_t> order(sign.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<T> off(sign.size());
    if (width > 0) {
      const auto steps = ldlt_panel_steps<T>(made.P.view(), true, 0, order, made.d, off, 0, signs(shift));
      while (steps->eliminate_next(width) > 0)
        for (const Tile& tile : steps->tiles_to_update(1)) steps->update(tile);
      EXPECT_EQ(steps->eliminated(), s);
      made.mended = steps->mended();
      made.negative = steps->negative();
    } else {
      const auto result = width == 0
                              ? ldlt_in_order<T>(made.P.view(), true, 0, made.d, 0, signs(shift))
                              : ldlt_panel<T>(made.P.view(), true, 0, order, made.d, off, 0, signs(shift));
      EXPECT_EQ(result.eliminated, s);
      EXPECT_EQ(result.two_by_two, 0);
      made.mended = result.mended;
      made.negative = result.negative;
    }
    for (Index k = 0; k < s; ++k) EXPECT_EQ(order[static_cast<std::size_t>(k)], k);
    EXPECT_EQ(made.P.guards(), P0.guards());
    return made;
  }
};
TYPED_TEST_SUITE(PivotSignsTest, AllScalars);

TYPED_TEST(PivotSignsTest, EveryWayIsTheTextbooks) {
  using T = TypeParam;
  for (const double shift : {0.0, 0.125})
    for (const Index s : {0, 1, 2, 15, 16, 17, 31, 33, 64, 70})
      for (const Index below : {0, 1, 9}) {
        const Matrix<T> P0 = this->front(s + below, s);
        const Signed<T> right = this->plain(P0, shift);
        for (const Index width : {-1, 0, 1, 7, 32}) {
          const Signed<T> made = this->by(P0, shift, width);
          ASSERT_EQ(made.mended.replaced, right.mended.replaced) << s << ' ' << width;
          ASSERT_EQ(made.mended.wrong_sign, right.mended.wrong_sign);
          ASSERT_EQ(made.negative, right.negative);
          // mended pivots are at least half of the diagonal of others, so that |l| is of order one: c s eps
          const double bound = 200 * static_cast<double>(s + 2) * eps<T>;
          for (Index k = 0; k < s; ++k) {
            ASSERT_NEAR(std::abs(made.d[static_cast<std::size_t>(k)] - right.d[static_cast<std::size_t>(k)]),
                        0, bound * std::abs(right.d[static_cast<std::size_t>(k)]) * 10);
            for (Index i = k + 1; i < s + below; ++i)
              ASSERT_NEAR(std::abs(made.P(i, k) - right.P(i, k)), 0, bound * (1 + std::abs(right.P(i, k))));
          }
        }
        EXPECT_GE(right.mended.replaced, right.mended.wrong_sign);
        if (s > 10) {
          EXPECT_GT(right.mended.wrong_sign, 0);
        }
      }
}

TYPED_TEST(PivotSignsTest, NumbersOutOfRangeStayWhatTheyAre) {
  using T = TypeParam;
  Matrix<T> P = this->front(3, 3);
  P(0, 0) = T(std::numeric_limits<Real<T>>::infinity());
  const Signed<T> made = this->by(P, 0, 0);
  EXPECT_FALSE(std::isfinite(std::abs(made.d[0])));
}

TYPED_TEST(PivotSignsTest, ARowOfZerosHasAPivotAllTheSame) {
  using T = TypeParam;
  this->sign = {-1};
  this->size = {0};
  const Signed<T> made = this->by(Matrix<T>(1, 1), 0, 0);
  EXPECT_EQ(made.mended.replaced, 1);
  EXPECT_LT(std::real(made.d[0]), 0);
  EXPECT_TRUE(std::isfinite(1 / std::real(made.d[0])));
}

}  // namespace
}  // namespace overlapack::kernels
