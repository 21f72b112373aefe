#include "kernels/update/swap.hpp"

#include "kernels/reference/swap.hpp"
#include "random_matrix.hpp"

#include <numeric>

namespace overlapack::kernels {
namespace {

template <class T>
struct SwapTest : ::testing::Test {
  Random random{23};

  std::vector<std::int32_t> permutation(Index n, Index exchanges) {
    std::vector<std::int32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    for (Index i = 0; i < exchanges && n > 0; ++i) std::swap(order[random.below(n)], order[random.below(n)]);
    return order;
  }
};
TYPED_TEST_SUITE(SwapTest, AllScalars);

TYPED_TEST(SwapTest, PermutationsAgreeWithReference) {
  using T = TypeParam;
  for (Index m : {0, 1, 7, 30})
    for (Index n : {0, 1, 2, 7, 30})
      for (Index exchanges : {0, 1, 3, 100}) {
        const auto X = Matrix<T>::random(m, n, this->random);
        std::vector<T> workspace(m);
        auto fast = X, twin = X;
        auto order = this->permutation(n, exchanges);
        const auto order_before = order;
        permute_columns(fast.view(), order, workspace);
        reference::permute_columns(twin.view(), std::span<const std::int32_t>(order));
        EXPECT_EQ(order, order_before);
        EXPECT_TRUE(all_near<T>(fast, twin, 0));
        const auto rows = this->permutation(m, exchanges);
        permute_rows(fast.view(), rows, workspace);
        reference::permute_rows(twin.view(), std::span<const std::int32_t>(rows));
        EXPECT_TRUE(all_near<T>(fast, twin, 0));
      }
}

TYPED_TEST(SwapTest, TwoSwapsAreNone) {
  using T = TypeParam;
  const auto X = Matrix<T>::random(6, 5, this->random);
  auto Y = X;
  swap_rows(Y.view(), 1, 4);
  swap_columns(Y.view(), 0, 3);
  EXPECT_EQ(Y(1, 0), X(4, 3));
  EXPECT_EQ(Y(4, 3), X(1, 0));
  EXPECT_EQ(Y(2, 2), X(2, 2));
  swap_columns(Y.view(), 3, 0);
  swap_rows(Y.view(), 4, 1);
  EXPECT_TRUE(all_near<T>(Y, X, 0));
}

}  // namespace
}  // namespace overlapack::kernels
