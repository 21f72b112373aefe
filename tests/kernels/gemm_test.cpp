#include "kernels/product/gemm.hpp"

#include "kernels/reference/gemm.hpp"
#include "kernels/update/adjoint.hpp"
#include "random_matrix.hpp"

namespace overlapack::kernels {
namespace {

template <class T>
struct GemmTest : ::testing::Test {
  Random random{7};

  void compare(Op op_a, Op op_b, Index m, Index n, Index k, T alpha, T beta) {
    const auto A = op_a == Op::none ? Matrix<T>::random(m, k, random) : Matrix<T>::random(k, m, random);
    const auto B = op_b == Op::none ? Matrix<T>::random(k, n, random) : Matrix<T>::random(n, k, random);
    auto C = Matrix<T>::random(m, n, random);
    if (beta == T(0) && m * n > 0) C(0, 0) = std::numeric_limits<Real<T>>::quiet_NaN();  // must not be read
    auto expected = C;
    gemm(op_a, op_b, alpha, A, B, beta, C.view());
    reference::gemm(op_a, op_b, alpha, A, B, beta, expected.view());
    // |error| <= 2 (k + 2) eps (|alpha| |A||B| + |beta C|), entries at most sqrt(2)
    const double tolerance = 2.0 * (k + 2) * eps<T> * 2 * (std::abs(alpha) * k + std::abs(beta));
    ASSERT_TRUE(all_near<T>(C, expected, tolerance))
        << int(op_a) << int(op_b) << ' ' << m << ' ' << n << ' ' << k;
    ASSERT_EQ(C.guards(), expected.guards());
  }
};
TYPED_TEST_SUITE(GemmTest, AllScalars);

TYPED_TEST(GemmTest, AgreesWithReferenceOnAllShapes) {
  using T = TypeParam;
  for (Op op_a : {Op::none, Op::trans, Op::conj_trans})
    for (Op op_b : {Op::none, Op::trans, Op::conj_trans})
      for (Index m : {0, 1, 3, 4, 8, 11, 17, 50})
        for (Index n : {0, 1, 2, 3, 4, 7, 17, 33})
          for (Index k : {0, 1, 2, 5, 8, 33}) {
            this->compare(op_a, op_b, m, n, k, T(-1), T(1));
            this->compare(op_a, op_b, m, n, k, T(-1), T(0));
          }
}

TYPED_TEST(GemmTest, ScalesByAlphaAndBeta) {
  using T = TypeParam;
  for (Op op_b : {Op::none, Op::trans, Op::conj_trans})
    for (T alpha : {T(1), T(0), random_scalar<T>(this->random)})
      for (T beta : {T(0), T(1), random_scalar<T>(this->random)})
        for (Index size : {1, 6, 20, 70})
          this->compare(Op::none, op_b, size + 2, size, size + 1, alpha, beta);
}

TYPED_TEST(GemmTest, TallAndSkinny) {
  using T = TypeParam;
  for (Index k : {1, 2, 4, 8, 16})
    for (Index n : {1, 2, 4, 8, 16, 64}) this->compare(Op::none, Op::trans, 403, n, k, T(-1), T(1));
}

/// Sizes about those from which B is copied in strips.
TYPED_TEST(GemmTest, UpdatesOfTiles) {
  using T = TypeParam;
  for (Index m : {47, 48, 49, 120})
    for (Index n : {15, 16, 17, 59})
      for (Index k : {63, 64, 256, 257})
        for (T beta : {T(0), T(1)})
          for (Op op_b : {Op::trans, Op::conj_trans}) this->compare(Op::none, op_b, m, n, k, T(-1), beta);
  for (Index n : {511, 512, 513}) this->compare(Op::none, Op::trans, 50, n, 65, T(-1), T(1));
}

TYPED_TEST(GemmTest, FewRowsAndLongInnerProducts) {
  using T = TypeParam;
  for (Index m : {1, 64, 193})
    for (Index n : {2, 24, 25})
      for (Index k : {256, 257, 385, 769})
        for (T beta : {T(0), T(1)}) this->compare(Op::none, Op::none, m, n, k, T(-1), beta);
}

TYPED_TEST(GemmTest, AdjointConjugatesAndTransposes) {
  using T = TypeParam;
  for (Index m : {0, 1, 7, 8, 9, 40})
    for (Index n : {0, 1, 5}) {
      const auto A = Matrix<T>::random(m, n, this->random);
      auto B = Matrix<T>::random(n, m, this->random);
      const auto guards = B.guards();
      adjoint<T>(A, B.view());
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < m; ++i) EXPECT_EQ(B(j, i), conjugate(A(i, j)));
      EXPECT_EQ(B.guards(), guards);
    }
}

TYPED_TEST(GemmTest, LowerTrapezoid) {
  using T = TypeParam;
  for (Op op_b : {Op::none, Op::trans, Op::conj_trans})
    for (Index n : {0, 1, 15, 16, 17, 40, 130})
      for (Index below : {0, 1, 30})
        for (Index k : {0, 1, 9, 33, 64, 70}) {
          const Index m = n + below;
          const auto A = Matrix<T>::random(m, k, this->random);
          const auto B = op_b == Op::none ? Matrix<T>::random(k, n, this->random)
                                          : Matrix<T>::random(n, k, this->random);
          auto C = Matrix<T>::random(m, n, this->random);
          auto expected = C;
          gemm_lower(op_b, T(-1), A, B, T(1), C.view());
          reference::gemm(Op::none, op_b, T(-1), A, B, T(1), expected.view());
          for (Index j = 0; j < n; ++j)
            for (Index i = j; i < m; ++i)
              ASSERT_LE(std::abs(C(i, j) - expected(i, j)), 4.0 * (k + 2) * (k + 1) * eps<T>)
                  << m << ' ' << n << ' ' << k;
          ASSERT_EQ(C.guards(), expected.guards());
        }
}

}  // namespace
}  // namespace overlapack::kernels
