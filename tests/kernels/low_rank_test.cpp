#include "kernels/low_rank/low_rank.hpp"

#include "kernels/pivoting/ldlt_panel.hpp"
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

/// All of a block, term by term in double precision where some are single.
template <class T>
Matrix<T> expanded(const LowRank<T>& block) {
  Matrix<T> all(block.rows(), block.cols());
  for (Index s = 0; s < block.X_single.cols; ++s)
    for (Index j = 0; j < block.cols(); ++j)
      for (Index i = 0; i < block.rows(); ++i)
        all(i, j) += static_cast<T>(block.X_single(i, s)) * static_cast<T>(block.V_single(s, j));
  if (block.is_full)
    for (Index j = 0; j < block.cols(); ++j)
      for (Index i = 0; i < block.rows(); ++i) all(i, j) = block.X(i, j);
  else
    reference::gemm<T>(Op::none, Op::none, T(1), block.X, block.V, T(1), all.view());
  return all;
}

template <class T>
double distance(const Matrix<T>& A, const Matrix<T>& B) {
  auto difference = A;
  for (Index j = 0; j < A.view().cols; ++j)
    for (Index i = 0; i < A.view().rows; ++i) difference(i, j) -= B(i, j);
  return norm<T>(difference.view());
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

/// As many terms as the limit allows and not one more; all of them where it is loose, none in types that are single.
TYPED_TEST(LowRankTest, TermsBecomeSingleWithinTheLimit) {
  using T = TypeParam;
  constexpr bool is_single = std::is_same_v<T, Single<T>>;
  const Index m = 90, n = 70, most = 40;
  const auto omega = random_signs<T>(n * most);
  Index least = most, largest = 0;
  for (const double limit : {1e-2, 1e-5, 1e-8, 1e-10}) {
    const auto B = this->decaying(m, n, most, 0.3);
    auto left = B;
    LowRankSpace<T> space;
    const auto found = compress<T>(left.view(), limit, most, omega, space);
    if (!found) continue;  // of float types where the limit is below rounding
    const Index single = count_terms_for_single(*found, limit);
    if (is_single) {
      EXPECT_EQ(single, 0);
      continue;
    }
    std::vector<Single<T>> room;
    const double moved = distance(expanded(*found), expanded(rounded_to_single(*found, single, room)));
    EXPECT_LE(moved, (1 + 1e-6) * limit) << limit;
    const Index own = found->X.cols - single;
    double bound = 0;
    for (Index i = own; i < found->X.cols; ++i) bound += 0x1p-23 * norm<T>(found->X.block(0, i, m, 1));
    EXPECT_LE(bound, (1 + 1e-6) * limit);
    if (own > 0) {
      EXPECT_GT(bound + 0x1p-23 * norm<T>(found->X.block(0, own - 1, m, 1)), (1 - 1e-6) * limit);
    }
    EXPECT_GT(single, 0) << limit;
    least = std::min(least, own);
    largest = std::max(largest, own);
    EXPECT_EQ(count_terms_for_single(*found, 1e-31), 0);
    EXPECT_EQ(count_terms_for_single(*found, 1e31), 0);
  }
  if (!is_single) {
    EXPECT_EQ(least, 0);
    EXPECT_GT(largest, 0);
  }
}

/// Whatever the split: the same block comes back, in the bytes that were promised, and its parts are those of the whole.
TYPED_TEST(LowRankTest, StoredBlocksComeBack) {
  using T = TypeParam;
  const Index m = 7, n = 5, rank = 3;
  const auto X = Matrix<T>::random(m, rank, this->random), V = Matrix<T>::random(rank, n, this->random);
  const LowRank<T> product{X.view(), V.view(), false};
  const auto check = [&](const LowRank<T>& block) {
    const StoredShape shape = stored_shape(block);
    const std::size_t bytes = stored_bytes<T>(shape);
    EXPECT_EQ(bytes % sizeof(T), 0u);
    EXPECT_GE(bytes, static_cast<std::size_t>(block.entries()) * sizeof(Single<T>));
    std::vector<std::byte> stored(bytes + 1, std::byte{77});
    store(block, stored.data());
    EXPECT_EQ(stored.back(), std::byte{77});
    const LowRank<T> back = stored_block<T>(stored.data(), shape);
    EXPECT_EQ(back.is_full, block.is_full);
    EXPECT_EQ(back.entries(), block.entries());
    EXPECT_EQ(distance(expanded(back), expanded(block)), 0);
    if (block.is_full) return;
    std::vector<T> room;
    const LowRank<T> own = widened_to_own_precision(part_of(back, 2, 4, 1, 3), room);
    EXPECT_EQ(own.X_single.cols, 0);
    const Matrix<T> part = expanded(own), all = expanded(block);
    for (Index j = 0; j < 3; ++j)
      for (Index i = 0; i < 4; ++i) EXPECT_LE(std::abs(part(i, j) - all(2 + i, 1 + j)), 100 * eps<T>);
  };
  check(full_block<T>(X.view()));
  for (const Index single : {0, 1, 2, 3}) {
    std::vector<Single<T>> room;
    check(rounded_to_single(product, single, room));
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
              std::vector<Single<T>> room_a, room_b;
              const LowRank<T> mixed_A = rank_a > 3 ? rounded_to_single(A, rank_a / 2, room_a) : A;
              const LowRank<T> mixed_B = rank_b > 0 ? rounded_to_single(B, 2, room_b) : B;
              const Middle<T> D{conj, has_d ? d.data() : nullptr, d_off.data()};
              auto C = Matrix<T>::random(m, n, this->random);
              auto expected = C;
              auto left = expanded(mixed_A);
              if (has_d) scale_by_d<T>(expanded(mixed_A).view(), conj, d, d_off, left.view());
              reference::gemm<T>(Op::none, conj ? Op::conj_trans : Op::trans, T(-1), left.view(),
                                 expanded(mixed_B).view(), T(1), expected.view());
              LowRankSpace<T> space;
              subtract_product<T>(mixed_A, D, mixed_B, conj, is_lower, space, C.view());
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
        std::vector<Single<T>> room;
        const LowRank<T> product{X.view(), V.view(), false};
        const LowRank<T> B = rank < 0 ? full_block<T>(X.view()) : rounded_to_single(product, rank / 2, room);
        auto x = Matrix<T>::random(n, nrhs, this->random), y = Matrix<T>::random(m, nrhs, this->random);
        auto expected_x = x, expected_y = y;
        LowRankSpace<T> space;
        subtract_low_rank_times<T>(B, x.view(), space, y.view());
        reference::gemm<T>(Op::none, Op::none, T(-1), expanded(B).view(), x.view(), T(1), expected_y.view());
        EXPECT_TRUE(all_near<T>(y.view(), expected_y.view(), 100 * n * eps<T>));
        subtract_low_rank_trans_times<T>(B, conj, y.view(), space, x.view());
        reference::gemm<T>(conj ? Op::conj_trans : Op::trans, Op::none, T(-1), expanded(B).view(), y.view(),
                           T(1), expected_x.view());
        EXPECT_TRUE(all_near<T>(x.view(), expected_x.view(), 1000 * m * eps<T>));
      }
}

}  // namespace
}  // namespace overlapack::kernels
