#include "kernels/update/extend_add.hpp"

#include "kernels/reference/extend_add.hpp"
#include "random_matrix.hpp"

#include <algorithm>
#include <array>
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

// Children in panels, or in one, into a front and into another block in panels; some of the columns.
TYPED_TEST(ExtendAddTest, StaircasesAgreeWithReference) {
  using T = TypeParam;
  for (Index m : {0, 1, 40, 70, 300})
    for (Index width : {staircase_width(m), std::max<Index>(m, 1)})
      for (Index skipped : {Index{0}, m / 3, m}) {
        const Index n = 2 * m + 1, parent_width = staircase_width(n);
        const auto child = Matrix<T>::random(m, m, this->random);
        std::vector<T> room(staircase_entries(m, width)), parent_room(staircase_entries(n, parent_width));
        const StaircaseView<T> packed{room.data(), m, width}, parent{parent_room.data(), n, parent_width};
        for (Index j = 0; j < m; ++j)
          for (Index i = j; i < m; ++i) packed.column(j)[i] = child(i, j);
        auto front = Matrix<T>::random(n, n, this->random), expected = front, whole = front;
        for (Index j = 0; j < n; ++j)
          for (Index i = j; i < n; ++i) parent.column(j)[i] = front(i, j);
        const auto map = this->map(m, n, true);
        extend_add_lower<T>(packed, skipped, m, map.data(), front.view());
        extend_add_lower<T>(packed, 0, skipped, map.data(), front.view());
        extend_add_lower<T>(packed, 0, m, map.data(), parent);
        reference::extend_add_lower(child, map.data(), false, expected.view());
        EXPECT_TRUE(all_near<T>(front, expected, 0)) << m;
        for (Index j = 0; j < n; ++j) std::copy(parent.column(j) + j, parent.column(j) + n, &whole(j, j));
        EXPECT_TRUE(all_near<T>(whole, expected, 0)) << m;
      }
}

// A part of a child, below its diagonal or at it, into a block in panels.
TYPED_TEST(ExtendAddTest, TilesIntoAStaircaseAgreeWithReference) {
  using T = TypeParam;
  constexpr Index n = 200, child_order = 90;
  const Index width = staircase_width(n);
  const auto map = this->map(child_order, n, true);
  for (const auto& [top, left, rows, cols] :
       {std::array<Index, 4>{0, 0, 1, 1}, {40, 7, 50, 33}, {89, 0, 1, 2}, {5, 5, 70, 70}})
    for (const bool is_lower : {false, true}) {
      if (is_lower != (top == left)) continue;
      const auto tile = Matrix<T>::random(rows, cols, this->random);
      auto expected = Matrix<T>::random(n, n, this->random), found = expected;
      std::vector<T> room(staircase_entries(n, width));
      const StaircaseView<T> parent{room.data(), n, width};
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) parent.column(j)[i] = expected(i, j);
      extend_add<T>(tile, is_lower, map.data() + top, map.data() + left, parent);
      if (is_lower)
        reference::extend_add_lower(tile, map.data() + top, false, expected.view());
      else
        reference::extend_add(tile, map.data() + top, map.data() + left, expected.view());
      for (Index j = 0; j < n; ++j) std::copy(parent.column(j) + j, parent.column(j) + n, &found(j, j));
      EXPECT_TRUE(all_near<T>(found, expected, 0)) << top << " " << left;
    }
}

}  // namespace
}  // namespace overlapack::kernels
