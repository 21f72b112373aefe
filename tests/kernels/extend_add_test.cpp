#include "kernels/extend_add.hpp"

#include "kernels/reference/extend_add.hpp"
#include "random_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::kernels {
namespace {

template <class T>
struct ExtendAddTest : ::testing::Test {
  Random random{19};

  /// n different numbers below `bound`: ascending with runs, or in any order.
  std::vector<std::int32_t> map(Index n, Index bound, bool sorted) {
    std::vector<std::int32_t> all(bound);
    std::iota(all.begin(), all.end(), 0);
    for (Index i = 0; i < n; ++i) std::swap(all[i], all[i + static_cast<Index>(random.below(bound - i))]);
    all.resize(n);
    if (sorted) std::sort(all.begin(), all.end());
    return all;
  }
};
TYPED_TEST_SUITE(ExtendAddTest, AllScalars);

// One addition an entry: both forms must agree to the last bit.
TYPED_TEST(ExtendAddTest, AgreesWithReference) {
  using T = TypeParam;
  for (bool sorted : {false, true})
    for (Index m : {0, 1, 5, 17, 40})
      for (Index n : {0, 1, 4, 16, 33}) {
        const auto child = Matrix<T>::random(m, n, this->random);
        const auto parent = Matrix<T>::random(45, 45, this->random);
        const auto rows = this->map(m, 45, sorted), cols = this->map(n, 45, sorted);
        auto fast = parent, twin = parent;
        extend_add(child, rows.data(), cols.data(), fast.view());
        reference::extend_add(child, rows.data(), cols.data(), twin.view());
        EXPECT_TRUE(all_near<T>(fast, twin, 0));
        extend_add_transposed(child, rows.data(), cols.data(), fast.view());
        reference::extend_add_transposed(child, rows.data(), cols.data(), twin.view());
        EXPECT_TRUE(all_near<T>(fast, twin, 0));
      }
}

TYPED_TEST(ExtendAddTest, LowerAgreesWithReference) {
  using T = TypeParam;
  for (bool sorted : {false, true})
    for (bool hermitian : {false, true})
      for (Index m : {0, 1, 2, 9, 40}) {
        const auto child = Matrix<T>::random(m, m, this->random);
        auto fast = Matrix<T>::random(45, 45, this->random);
        auto twin = fast;
        const auto map = this->map(m, 45, sorted);
        extend_add_lower(child, map.data(), hermitian, fast.view());
        reference::extend_add_lower(child, map.data(), hermitian, twin.view());
        EXPECT_TRUE(all_near<T>(fast, twin, 0));
      }
}

}  // namespace
}  // namespace overlapack::kernels
