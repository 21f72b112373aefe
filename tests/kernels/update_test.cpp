#include "kernels/update.hpp"

#include "kernels/reference/gemm.hpp"
#include "kernels/reference/update.hpp"
#include "random_matrix.hpp"

#include <algorithm>

namespace overlapack::kernels {
namespace {

template <class T>
struct UpdateTest : ::testing::Test {
  Random random{17};
};
TYPED_TEST_SUITE(UpdateTest, AllScalars);

TYPED_TEST(UpdateTest, LowerTilesInAnyOrder) {
  using T = TypeParam;
  for (bool accumulate : {false, true})
    for (bool conj : {false, true})
      for (Index n : {0, 1, 63, 64, 65, 256, 257})
        for (Index k : {0, 1, 2, 9}) {
          const auto W = Matrix<T>::random(n, k, this->random), L = Matrix<T>::random(n, k, this->random);
          auto C = Matrix<T>::random(n, n, this->random);
          if (!accumulate)
            for (Index j = 0; j < n; ++j)
              for (Index i = 0; i < n; ++i) C(i, j) = std::numeric_limits<Real<T>>::quiet_NaN();
          auto expected = C;
          for (Index tile = lower_update_tiles(n) - 1; tile >= 0; --tile)
            lower_update_tile(tile, W, L, conj, accumulate, C.view());
          reference::lower_update(W, L, conj, accumulate, expected.view());
          for (Index j = 0; j < n; ++j)
            for (Index i = j; i < n; ++i)
              ASSERT_LE(std::abs(C(i, j) - expected(i, j)), 4 * (k + 2.0) * (k + 1) * eps<T>)
                  << n << ' ' << k;
          ASSERT_EQ(C.guards(), expected.guards());
        }
}

TYPED_TEST(UpdateTest, FullTilesCoverOnce) {
  using T = TypeParam;
  for (bool accumulate : {false, true})
    for (Index m : {0, 1, 400, 800})
      for (Index n : {0, 33, 600})
        for (Index k : {0, 1, 5}) {
          const auto A = Matrix<T>::random(m, k, this->random), B = Matrix<T>::random(n, k, this->random);
          auto C = Matrix<T>::random(m, n, this->random);
          if (!accumulate && m * n > 0) C(m - 1, n - 1) = std::numeric_limits<Real<T>>::quiet_NaN();
          auto expected = C;
          for (Index tile = full_update_tiles(m, n) - 1; tile >= 0; --tile)
            full_update_tile(tile, A, B, accumulate, C.view());
          reference::gemm(Op::none, Op::trans, T(-1), A, B, T(accumulate ? 1 : 0), expected.view());
          ASSERT_TRUE(all_near<T>(C, expected, 4 * (k + 2.0) * (k + 1) * eps<T>))
              << m << ' ' << n << ' ' << k;
        }
}

TYPED_TEST(UpdateTest, WholeUpdatesEqualTheirTiles) {
  using T = TypeParam;
  const Index n = 500, k = 7;
  const auto W = Matrix<T>::random(n, k, this->random), L = Matrix<T>::random(n, k, this->random);
  auto C = Matrix<T>::random(n, n, this->random);
  auto tiled = C;
  full_update(W, L, true, C.view());
  for (Index tile = 0; tile < full_update_tiles(n, n); ++tile)
    full_update_tile(tile, W, L, true, tiled.view());
  EXPECT_TRUE(all_near<T>(C, tiled, 4 * (k + 2.0) * (k + 1) * eps<T>));
}

TEST(UpdateTiles, CountsFollowTheWidths) {
  EXPECT_EQ(lower_update_tiles(0), 0);
  EXPECT_EQ(lower_update_tiles(256), 4);
  EXPECT_EQ(lower_update_tiles(257), 3);
  EXPECT_EQ(full_update_tiles(0, 5), 0);
  EXPECT_EQ(full_update_tiles(384, 768), 2);
}

}  // namespace
}  // namespace overlapack::kernels
