#include "kernels/sparse/dense_residual.hpp"

#include "random_matrix.hpp"

#include <algorithm>

namespace overlapack::kernels {
namespace {

template <class T>
class DenseResidual : public ::testing::Test {};
TYPED_TEST_SUITE(DenseResidual, AllScalars);

/// op(A)(i, j)
template <class T>
T entry(Op op, const Matrix<T>& A, Index i, Index j) {
  return op == Op::none ? A(i, j) : op == Op::trans ? A(j, i) : conjugate(A(j, i));
}

TYPED_TEST(DenseResidual, IsTheDefinitionInALongerFormat) {
  using T = TypeParam;
  Random random(41);
  for (const auto& [rows, cols] :
       {std::pair<Index, Index>{0, 3}, {1, 1}, {7, 12}, {300, 70}, {70, 300}, {1100, 67}})
    for (const Op op : {Op::none, Op::trans, Op::conj_trans}) {
      const auto A = Matrix<T>::random(rows, cols, random);
      const Index m = op == Op::none ? rows : cols, n = op == Op::none ? cols : rows, k = 2;
      const auto X = Matrix<T>::random(n, k, random);
      std::vector<WideScalar<T>> R(m * k, WideScalar<T>(3));
      Matrix<Real<T>> W(m, k, Real<T>(2));
      dense_residual<T>(op, A.view(), X.view(),
                        MatrixView<WideScalar<T>>{R.data(), m, k, std::max<Index>(m, 1)}, W.view());
      const double wide = std::numeric_limits<Wide<T>>::epsilon();
      for (Index c = 0; c < k; ++c)
        for (Index i = 0; i < m; ++i) {
          std::complex<long double> r = 3;
          double w = 2;
          for (Index j = 0; j < n; ++j) {
            r -= std::complex<long double>(entry(op, A, i, j)) * std::complex<long double>(X(j, c));
            w += std::abs(entry(op, A, i, j)) * std::abs(X(j, c));
          }
          // n products and sums, each rounded in the longer format
          EXPECT_LE(std::abs(std::complex<long double>(R[i + c * m]) - r), 4 * (n + 1) * wide * w);
          EXPECT_NEAR(W(i, c), w, 4 * (n + 1) * eps<T> * w);
        }
    }
}

// The wide type of double has a longer exponent, too: terms that overflow in double may cancel.
TYPED_TEST(DenseResidual, TermsThatOverflowCancel) {
  using T = TypeParam;
  const Real<T> large = std::sqrt(std::numeric_limits<Real<T>>::max()) * 4;
  Matrix<T> A(1, 3), X(3, 1);
  A(0, 0) = large, A(0, 1) = -large, A(0, 2) = 1;
  X(0, 0) = large, X(1, 0) = large, X(2, 0) = 2;
  for (const Op op : {Op::none, Op::trans}) {
    std::vector<WideScalar<T>> r(1, WideScalar<T>(0));
    Matrix<Real<T>> w(1, 1, Real<T>(0));
    Matrix<T> At(3, 1);
    for (Index j = 0; j < 3; ++j) At(j, 0) = A(0, j);
    dense_residual<T>(op, op == Op::none ? A.view() : At.view(), X.view(),
                      MatrixView<WideScalar<T>>{r.data(), 1, 1, 1}, w.view());
    EXPECT_EQ(r[0], WideScalar<T>(-2));
  }
}

}  // namespace
}  // namespace overlapack::kernels
