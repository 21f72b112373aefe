#include "kernels/update/update.hpp"

#include "kernels/reference/gemm.hpp"
#include "kernels/reference/update.hpp"
#include "random_matrix.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace overlapack::kernels {
namespace {

std::vector<Tile> backwards(std::vector<Tile> tiles) {
  std::ranges::reverse(tiles);
  return tiles;
}

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
        for (Index k : {0, 1, 2, 9})
          for (Index edge : {8, 64}) {
            const auto W = Matrix<T>::random(n, k, this->random), L = Matrix<T>::random(n, k, this->random);
            auto C = Matrix<T>::random(n, n, this->random);
            if (!accumulate)
              for (Index j = 0; j < n; ++j)
                for (Index i = 0; i < n; ++i) C(i, j) = std::numeric_limits<Real<T>>::quiet_NaN();
            auto expected = C;
            for (const Tile& tile : backwards(lower_tiles(n, n, edge)))
              update_tile<T>(tile, W, L, conj, accumulate, C.view());
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
          for (const Tile& tile : backwards(full_tiles(m, n, 200)))
            update_tile<T>(tile, A, B, false, accumulate, C.view());
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
  for (const Tile& tile : full_tiles(n, n, 128)) update_tile<T>(tile, W, L, false, true, tiled.view());
  EXPECT_TRUE(all_near<T>(C, tiled, 4 * (k + 2.0) * (k + 1) * eps<T>));
  lower_update(W, L, true, true, C.view());
  for (const Tile& tile : lower_tiles(n, n, 128)) update_tile<T>(tile, W, L, true, true, tiled.view());
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i)
      ASSERT_LE(std::abs(C(i, j) - tiled(i, j)), 8 * (k + 2.0) * (k + 1) * eps<T>);
}

/// Whole panels, and tiles of them, give what a square has; nothing is written outside.
TYPED_TEST(UpdateTest, StaircasesHoldTheLowerTriangle) {
  using T = TypeParam;
  const Index k = 7, guard = 16;
  for (Index n : {1, 64, 65, 200, 500, 777}) {
    const auto A = Matrix<T>::random(n, k, this->random), B = Matrix<T>::random(n, k, this->random);
    auto C = Matrix<T>::random(n, n, this->random);
    const Index width = staircase_width(n), entries = staircase_entries(n, width);
    std::vector<T> by_panels(entries + guard, T(3)), by_tiles = by_panels;
    const StaircaseView<T> panels{by_panels.data(), n, width}, tiled{by_tiles.data(), n, width};
    lower_update(A.view(), B.view(), true, false, C.view());
    for (Index first = 0; first < n; first += width) {
      const MatrixView<T> panel = panels.panel(first);
      lower_update<T>(A.view().block(first, 0, panel.rows, k), B.view().block(first, 0, panel.cols, k), true,
                      false, panel);
    }
    for (const Tile& tile : backwards(staircase_tiles(n, width, 48)))
      update_tile<T>(tile, A, B, true, false, tiled);
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) {
        ASSERT_LE(std::abs(C(i, j) - panels.column(j)[i]), 8 * (k + 2.0) * (k + 1) * eps<T>);
        ASSERT_LE(std::abs(C(i, j) - tiled.column(j)[i]), 8 * (k + 2.0) * (k + 1) * eps<T>);
      }
    for (const auto& room : {by_panels, by_tiles})
      EXPECT_EQ(std::count(room.end() - guard, room.end(), T(3)), guard);
    EXPECT_TRUE(n < 200 || entries < 0.85 * static_cast<double>(n * n)) << n;
  }
}

/// Every entry is in one tile, none is larger than was asked for, and their flops add up.
TYPED_TEST(UpdateTest, TilesAreSmallAndTakeAll) {
  using T = TypeParam;
  for (const auto& [rows, cols, k] : std::vector<std::array<Index, 3>>{
           {1, 1, 1}, {100, 100, 700}, {977, 300, 64}, {5000, 37, 1}, {1500, 1500, 2000}, {3, 0, 5}})
    for (const double flops : {1e6, 4e7})
      for (const bool is_lower : {false, true}) {
        const Index edge = tile_edge<T>(flops, k);
        double entries = 0, sum = 0;
        for (const Tile& tile : is_lower ? lower_tiles(rows, cols, edge) : full_tiles(rows, cols, edge)) {
          EXPECT_LE(std::max(tile.rows, tile.cols), edge);
          EXPECT_TRUE(edge == 32 || tile.flops<T>(k) <= flops) << rows << ' ' << cols << ' ' << k;
          EXPECT_TRUE(!is_lower || tile.top >= tile.left + (tile.is_diagonal ? 0 : tile.cols));
          entries += tile.is_diagonal ? tile.rows * (tile.rows + 1) / 2.0 : 1.0 * tile.rows * tile.cols;
          sum += tile.flops<T>(k);
        }
        const double all = 1.0 * rows * cols - (is_lower ? cols * (cols - 1) / 2.0 : 0);
        EXPECT_EQ(entries, all);
        EXPECT_NEAR(sum, all * static_cast<double>(k) * multiply_add_flops<T>, 1e-9 * sum);
      }
}

/// In place where rows and columns lie side by side, else by way of the work space; what is not named stays.
TYPED_TEST(UpdateTest, ScatteredUpdateReachesItsPositionsAlone) {
  using T = TypeParam;
  std::vector<T> work;
  for (const Index stride : {1, 2})
    for (const Index m : {0, 1, 7, 40})
      for (const Index n : {1, 2, 3, 9})
        for (const Index k : {1, 5}) {
          const auto A = Matrix<T>::random(m, k, this->random), B = Matrix<T>::random(n, k, this->random);
          auto C = Matrix<T>::random(2 * m + 3, 2 * n + 3, this->random);
          auto expected = C;
          std::vector<std::int32_t> rows(static_cast<std::size_t>(m)), columns(static_cast<std::size_t>(n));
          for (Index i = 0; i < m; ++i) rows[i] = static_cast<std::int32_t>(2 + stride * i);
          for (Index j = 0; j < n; ++j) columns[j] = static_cast<std::int32_t>(1 + j);
          for (Index i = 0; i < m; ++i)
            for (Index j = 0; j < n; ++j)
              for (Index l = 0; l < k; ++l) expected(rows[i], columns[j]) -= A(i, l) * B(j, l);
          const bool in_place = scattered_update<T>(A, B, rows, columns, {16, 3}, work, C.view());
          EXPECT_EQ(in_place, m > 0 && n >= 3 && (stride == 1 || m == 1));
          for (Index j = 0; j < 2 * n + 3; ++j)
            for (Index i = 0; i < 2 * m + 3; ++i)
              ASSERT_LE(std::abs(C(i, j) - expected(i, j)), 20 * (k + 2.0) * eps<T>)
                  << m << ' ' << n << ' ' << k;
          ASSERT_EQ(C.guards(), expected.guards());
        }
}

}  // namespace
}  // namespace overlapack::kernels
