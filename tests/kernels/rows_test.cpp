#include "kernels/update/rows.hpp"

#include "kernels/reference/rows.hpp"
#include "random_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::kernels {
namespace {

template <class T>
struct RowsTest : ::testing::Test {
  Random random{37};

  /// `count` different rows of m, in random order.
  std::vector<Index> rows(Index m, Index count) {
    std::vector<Index> all(static_cast<std::size_t>(m));
    std::iota(all.begin(), all.end(), 0);
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
    all.resize(static_cast<std::size_t>(count));
    return all;
  }
};
TYPED_TEST_SUITE(RowsTest, AllScalars);

TYPED_TEST(RowsTest, MoveRowsAgreesWithReference) {
  using T = TypeParam;
  for (const Index m : {1, 2, 9, 50})
    for (const Index n : {0, 1, 7})
      for (const Index count : {Index{0}, Index{1}, m / 2, m}) {
        auto fast = Matrix<T>::random(m, n, this->random), twin = fast;
        const auto to = this->rows(m, count), from = this->rows(m, count);
        move_rows(to, from, fast.view());
        reference::move_rows(to, from, twin.view());
        EXPECT_TRUE(all_near<T>(fast, twin, 0)) << m << ' ' << n << ' ' << count;
        EXPECT_EQ(fast.guards(), twin.guards());
      }
}

TYPED_TEST(RowsTest, WhatIsGatheredScattersBack) {
  using T = TypeParam;
  const auto A = Matrix<T>::random(20, 6, this->random);
  const auto from = this->rows(20, 9);
  Matrix<T> B(9, 6), C(20, 6, T(5));
  gather_rows(A, from, B.view());
  for (Index j = 0; j < 6; ++j)
    for (Index k = 0; k < 9; ++k) EXPECT_EQ(B(k, j), A(from[k], j));
  scatter_rows(B, from, C.view());
  Index kept = 0;
  for (Index j = 0; j < 6; ++j)
    for (Index i = 0; i < 20; ++i) {
      const bool is_moved = std::ranges::count(from, i) > 0;
      EXPECT_EQ(C(i, j), is_moved ? A(i, j) : T(5));
      kept += !is_moved;
    }
  EXPECT_EQ(kept, 11 * 6);
}

}  // namespace
}  // namespace overlapack::kernels
