#include "kernels/pivoting/cholesky_panel.hpp"

#include "kernels/pivoting/panel_steps.hpp"
#include "kernels/reference/cholesky_panel.hpp"
#include "random_matrix.hpp"

namespace overlapack::kernels {
namespace {

template <class T>
struct CholeskyPanelTest : ::testing::Test {
  Random random{13};

  /// Diagonally dominant: positive definite.
  Matrix<T> definite(Index f, Index s) {
    auto P = Matrix<T>::random(f, s, random);
    for (Index j = 0; j < s; ++j) P(j, j) = T(2 * f);
    return P;
  }

  static Index stepwise(Matrix<T>& P) {
    const auto steps = cholesky_panel_steps(P.view());
    while (steps->eliminate_next(6) > 0)
      for (const Tile& tile : steps->tiles_to_update(1)) steps->update(tile);
    return steps->eliminated();
  }
};
TYPED_TEST_SUITE(CholeskyPanelTest, AllScalars);

TYPED_TEST(CholeskyPanelTest, ReproducesThePanel) {
  using T = TypeParam;
  for (Index s : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 64, 65, 100})
    for (Index below : {0, 1, 3, 8, 41}) {
      const Index f = s + below;
      const auto P0 = this->definite(f, s);
      enum Form { slow, fast, in_steps };
      for (const Form form : {slow, fast, in_steps}) {
        auto P = P0;
        ASSERT_EQ(form == slow   ? reference::cholesky_panel(P.view())
                  : form == fast ? cholesky_panel(P.view())
                                 : this->stepwise(P),
                  s);
        for (Index j = 0; j < s; ++j)
          for (Index i = j; i < f; ++i) {
            T sum(0);
            double size = 0;
            for (Index p = 0; p <= j; ++p)
              sum += P(i, p) * conjugate(P(j, p)), size += std::abs(P(i, p) * P(j, p));
            ASSERT_LE(std::abs(sum - P0(i, j)), 8 * (j + 2) * eps<T> * size)
                << f << ' ' << s << ' ' << i << ' ' << j;
          }
        ASSERT_EQ(P.guards(), P0.guards());
      }
    }
}

TYPED_TEST(CholeskyPanelTest, ReportsTheFirstPivotThatIsNotPositive) {
  using T = TypeParam;
  for (Index s : {1, 2, 8, 9, 20, 70})
    for (Index bad : {Index(0), s / 2, s - 1}) {
      auto P = this->definite(s + 3, s);
      P(bad, bad) = T(-1);
      auto twin = P;
      EXPECT_EQ(cholesky_panel(P.view()), bad);
      EXPECT_EQ(reference::cholesky_panel(twin.view()), bad);
      for (Index j = 0; j < bad; ++j)
        for (Index i = j; i < s + 3; ++i) EXPECT_LE(std::abs(P(i, j) - twin(i, j)), 100 * s * eps<T>);
      P = this->definite(s + 3, s);
      P(bad, bad) = std::numeric_limits<Real<T>>::quiet_NaN();
      EXPECT_EQ(cholesky_panel(P.view()), bad);
      P = this->definite(s + 3, s);
      P(bad, bad) = T(-1);
      EXPECT_EQ(this->stepwise(P), bad);
    }
}

}  // namespace
}  // namespace overlapack::kernels
