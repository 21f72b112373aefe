#include "kernels/pivoting/pivot_column.hpp"

#include "kernels/reference/pivot_column.hpp"
#include "random_matrix.hpp"

namespace overlapack::kernels {
namespace {

template <class T>
struct PivotColumnTest : ::testing::Test {
  Random random{29};
};
TYPED_TEST_SUITE(PivotColumnTest, AllScalars);

TYPED_TEST(PivotColumnTest, LargestEntryAgreesWithReference) {
  using T = TypeParam;
  for (const Index m : {1, 2, 3, 7, 8, 33, 511, 512, 513, 1100})
    for (int round = 0; round < 20; ++round) {
      auto x = Matrix<T>::random(m, 1, this->random);
      const auto position = [&] {
        return static_cast<Index>(this->random.below(static_cast<std::uint64_t>(m)));
      };
      if (round % 4 == 1) x(position(), 0) = x(position(), 0) = T(3);  // the first of equal ones
      if (round % 4 == 2)
        for (Index i = 0; i < m; ++i) x(i, 0) = T(0);
      if (round % 4 >= 2)
        for (int k = 0; k < 1 + round / 4; ++k) x(position(), 0) = std::numeric_limits<Real<T>>::quiet_NaN();
      EXPECT_EQ(largest_entry(m, x.view().data), reference::largest_entry(m, x.view().data))
          << m << ' ' << round;
    }
}

TYPED_TEST(PivotColumnTest, OnlyNaNIsTheFirst) {
  using T = TypeParam;
  for (const Index m : {1, 5, 600}) {
    const Matrix<T> x(m, 1, std::numeric_limits<Real<T>>::quiet_NaN());
    EXPECT_EQ(largest_entry(m, x.view().data), 0);
  }
}

TYPED_TEST(PivotColumnTest, DividesAlsoBySubnormalPivots) {
  using T = TypeParam;
  const Real<T> least = std::numeric_limits<Real<T>>::denorm_min();
  for (const Index m : {0, 1, 9, 40}) {
    auto x = Matrix<T>::random(m, 1, this->random);
    const auto before = x;
    const T pivot = random_scalar<T>(this->random) + T(2);
    divide_column(m, pivot, x.view().data);
    for (Index i = 0; i < m;
         ++i)  // a reciprocal and a product, each rounded; complex: up to 4 roundings each
      EXPECT_LE(std::abs(x(i, 0) * pivot - before(i, 0)), 16 * eps<T> * std::abs(before(i, 0)));
    Matrix<T> small(m, 1, T(3 * least));
    divide_column(m, T(4 * least), small.view().data);
    for (Index i = 0; i < m; ++i) EXPECT_EQ(small(i, 0), T(0.75));
  }
}

}  // namespace
}  // namespace overlapack::kernels
