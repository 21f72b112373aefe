#include "kernels/low_rank.hpp"

#include "kernels/ldlt_panel.hpp"
#include "kernels/reference/gemm.hpp"
#include "random_matrix.hpp"

#include <cmath>
#include <vector>

namespace overlapack::kernels {
namespace {

template <class T>
struct LowRankTest : ::testing::Test {
  Random random{23};

  /// A block with singular values 1, falloff, falloff^2, ... up to `rank` of them.
  Matrix<T> decaying(Index m, Index n, Index rank, double falloff) {
    const auto X = Matrix<T>::random(m, rank, random);
    auto Y = Matrix<T>::random(rank, n, random);
    for (Index i = 0; i < rank; ++i)
      for (Index j = 0; j < n; ++j) Y(i, j) *= Real<T>(std::pow(falloff, static_cast<double>(i)));
    Matrix<T> B(m, n);
    reference::gemm<T>(Op::none, Op::none, T(1), X, Y, T(0), B.view());
    return B;
  }
};
TYPED_TEST_SUITE(LowRankTest, AllScalars);

template <class T>
double norm(MatrixView<const T> A) {
  double sum = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) sum += std::norm(std::complex<double>(A(i, j)));
  return std::sqrt(sum);
}

/// All of a block.
template <class T>
Matrix<T> expanded(const LowRank<T>& block) {
  Matrix<T> all(block.rows(), block.cols());
  if (block.is_full)
    for (Index j = 0; j < block.cols(); ++j)
      for (Index i = 0; i < block.rows(); ++i) all(i, j) = block.X(i, j);
  else
    reference::gemm<T>(Op::none, Op::none, T(1), block.X, block.V, T(0), all.view());
  return all;
}

TYPED_TEST(LowRankTest, ErrorIsWithinTheLimit) {
  using T = TypeParam;
  const double rounding = 100 * static_cast<double>(eps<T>);
  for (const Index m : {1, 15, 17, 90})
    for (const Index n : {1, 16, 33, 80})
      for (const double limit : {1e-1, 1e-3, 1e-5}) {
        const Index most = std::min(m, n);
        const auto omega = random_signs<T>(n * most);
        const auto B = this->decaying(m, n, most, 0.5);
        LowRankSpace<T> space;
        auto left = B;
        const double size = norm<T>(B.view());
        const auto found = compress<T>(left.view(), limit * size, most, omega, space);
        if (!found) continue;  // by its first columns it seemed to be of full rank
        const Matrix<T> approximation = expanded(*found);
        auto difference = B;
        for (Index j = 0; j < n; ++j)
          for (Index i = 0; i < m; ++i) difference(i, j) -= approximation(i, j);
        EXPECT_LE(norm<T>(difference.view()), (limit + rounding) * size) << m << ' ' << n << ' ' << limit;
        EXPECT_LE(found->X.cols, most);
      }
}

TYPED_TEST(LowRankTest, FindsTheRank) {
  using T = TypeParam;
  const Index m = 120, n = 100, most = 60;
  const auto omega = random_signs<T>(n * most);
  LowRankSpace<T> space;
  for (const Index rank : {0, 1, 15, 16, 17, 31}) {
    auto B = this->decaying(m, n, rank, 1);
    const auto found = compress<T>(B.view(), 1e-4 * norm<T>(B.view()), most, omega, space);
    ASSERT_TRUE(found) << rank;
    EXPECT_EQ(found->X.cols, rank);
  }
}

TYPED_TEST(LowRankTest, GivesUpEarlyOnWhatHasFullRank) {
  using T = TypeParam;
  const Index n = 128, most = 64;
  const auto omega = random_signs<T>(n * most);
  LowRankSpace<T> space;
  auto B = Matrix<T>::random(n, n, this->random);
  EXPECT_FALSE(compress<T>(B.view(), 1e-5 * n, most, omega, space));
  EXPECT_LE(space.tried, 32);
  auto with_nan = this->decaying(n, n, 3, 1);
  with_nan(5, 7) = T(std::numeric_limits<Real<T>>::quiet_NaN());
  EXPECT_FALSE(compress<T>(with_nan.view(), 1e-3, most, omega, space));
}

/// The four ways in which two blocks meet, with D of 1x1 and 2x2 pivots or without.
TYPED_TEST(LowRankTest, ProductsAreThoseOfFullBlocks) {
  using T = TypeParam;
  const Index k = 24;
  std::vector<T> d(k), d_off(k, T(0));
  for (T& value : d) value = T(std::real(random_scalar<T>(this->random)));
  for (const Index pair : {3, 9}) d_off[static_cast<std::size_t>(pair)] = random_scalar<T>(this->random);
  for (const Index m : {1, 20, 33})
    for (const Index rank_a : {-1, 0, 3, 7})
      for (const Index rank_b : {-1, 0, 5})
        for (const bool conj : {false, true})
          for (const bool has_d : {false, true})
            for (const bool is_lower : {false, true}) {
              const Index n = is_lower ? m : 17;
              const Index inner_a = rank_a < 0 ? k : rank_a, inner_b = rank_b < 0 ? k : rank_b;
              const auto XA = Matrix<T>::random(m, inner_a, this->random),
                         VA = Matrix<T>::random(inner_a, k, this->random);
              const auto XB = Matrix<T>::random(n, inner_b, this->random),
                         VB = Matrix<T>::random(inner_b, k, this->random);
              const LowRank<T> A =
                  rank_a < 0 ? full_block<T>(XA.view()) : LowRank<T>{XA.view(), VA.view(), false};
              const LowRank<T> B =
                  rank_b < 0 ? full_block<T>(XB.view()) : LowRank<T>{XB.view(), VB.view(), false};
              const Middle<T> D{conj, has_d ? d.data() : nullptr, d_off.data()};
              auto C = Matrix<T>::random(m, n, this->random);
              auto expected = C;
              auto left = expanded(A);
              if (has_d) scale_by_d<T>(expanded(A).view(), conj, d, d_off, left.view());
              reference::gemm<T>(Op::none, conj ? Op::conj_trans : Op::trans, T(-1), left.view(),
                                 expanded(B).view(), T(1), expected.view());
              LowRankSpace<T> space;
              subtract_product<T>(A, D, B, conj, is_lower, space, C.view());
              for (Index j = 0; j < n; ++j)
                for (Index i = is_lower ? j : 0; i < m; ++i)
                  ASSERT_LE(std::abs(C(i, j) - expected(i, j)), 1000 * k * eps<T>)
                      << m << ' ' << rank_a << ' ' << rank_b;
              ASSERT_EQ(C.guards(), expected.guards());
            }
}

TYPED_TEST(LowRankTest, SweepsAreThoseOfFullBlocks) {
  using T = TypeParam;
  const Index m = 19, n = 12;
  for (const Index rank : {-1, 0, 4})
    for (const Index nrhs : {1, 3})
      for (const bool conj : {false, true}) {
        const auto X = Matrix<T>::random(m, rank < 0 ? n : rank, this->random),
                   V = Matrix<T>::random(std::max<Index>(rank, 0), n, this->random);
        const LowRank<T> B = rank < 0 ? full_block<T>(X.view()) : LowRank<T>{X.view(), V.view(), false};
        auto x = Matrix<T>::random(n, nrhs, this->random), y = Matrix<T>::random(m, nrhs, this->random);
        auto expected_x = x, expected_y = y;
        LowRankSpace<T> space;
        subtract_times<T>(B, x.view(), space, y.view());
        reference::gemm<T>(Op::none, Op::none, T(-1), expanded(B).view(), x.view(), T(1), expected_y.view());
        EXPECT_TRUE(all_near<T>(y.view(), expected_y.view(), 100 * n * eps<T>));
        subtract_trans_times<T>(B, conj, y.view(), space, x.view());
        reference::gemm<T>(conj ? Op::conj_trans : Op::trans, Op::none, T(-1), expanded(B).view(), y.view(),
                           T(1), expected_x.view());
        EXPECT_TRUE(all_near<T>(x.view(), expected_x.view(), 1000 * m * eps<T>));
      }
}

}  // namespace
}  // namespace overlapack::kernels
