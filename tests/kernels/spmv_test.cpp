#include "kernels/spmv.hpp"

#include "random_matrix.hpp"

namespace overlapack::kernels {
namespace {

template <class T>
struct SpmvTest : ::testing::Test {
  Random random{29};

  /// A random sparse matrix and the same dense; every third column is empty.
  SparseMatrix<T> sparse(Matrix<T>& dense) {
    SparseMatrix<T> A;
    A.rows = dense.rows();
    A.cols = dense.cols();
    for (Index j = 0; j < A.cols; ++j) {
      for (Index i = 0; i < A.rows; ++i)
        if (j % 3 != 2 && random.uniform() < 0.4) {
          A.row.push_back(i);
          A.value.push_back(dense(i, j) = random_scalar<T>(random));
        }
      A.start.push_back(A.nnz());
    }
    return A;
  }

  std::vector<T> vector(Index n) {
    std::vector<T> x(n);
    for (T& entry : x) entry = random_scalar<T>(random);
    return x;
  }
};
TYPED_TEST_SUITE(SpmvTest, AllScalars);

TYPED_TEST(SpmvTest, AgreesWithTheDenseProduct) {
  using T = TypeParam;
  for (Index m : {0, 1, 12, 31})
    for (Index n : {0, 1, 9, 40}) {
      Matrix<T> dense(m, n);
      const auto A = this->sparse(dense);
      const auto x = this->vector(n), b = this->vector(m), z = this->vector(m);
      std::vector<T> y(m, T(99)), r(m, T(99)), yt(n, T(99)), yh(n, T(99));
      std::vector<Real<T>> w(m, Real<T>(99));
      spmv(A, x, y);
      residual(A, x, b, r, std::span<Real<T>>(w));
      spmv_trans(A, false, z, yt);
      spmv_trans(A, true, z, yh);
      const double tolerance = 4 * (n + m + 2.0) * (n + m) * eps<T>;  // sums of at most n + m products <= 2
      for (Index i = 0; i < m; ++i) {
        T sum(0);
        double modulus = std::abs(b[i]);
        for (Index j = 0; j < n; ++j)
          sum += dense(i, j) * x[j], modulus += std::abs(dense(i, j)) * std::abs(x[j]);
        EXPECT_LE(std::abs(y[i] - sum), tolerance);
        EXPECT_LE(std::abs(r[i] - (b[i] - sum)), tolerance);
        EXPECT_LE(std::abs(w[i] - modulus), tolerance);
      }
      for (Index j = 0; j < n; ++j) {
        T plain(0), conjugated(0);
        for (Index i = 0; i < m; ++i)
          plain += dense(i, j) * z[i], conjugated += conjugate(dense(i, j)) * z[i];
        EXPECT_LE(std::abs(yt[j] - plain), tolerance);
        EXPECT_LE(std::abs(yh[j] - conjugated), tolerance);
      }
    }
}

// By rows or scattered by columns, a residual has the same bits.
TYPED_TEST(SpmvTest, SymmetricResidualsAreThoseOfAnyMatrix) {
  using T = TypeParam;
  for (Symmetry symmetry : {Symmetry::symmetric, Symmetry::hermitian})
    for (Index n : {0, 1, 12, 31}) {
      Matrix<T> dense(n, n);
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) {
          const T value = this->random.uniform() < 0.4 ? random_scalar<T>(this->random) : T(0);
          dense(i, j) = i == j ? T(std::real(value)) : value;
          dense(j, i) = symmetry == Symmetry::hermitian ? conjugate(dense(i, j)) : dense(i, j);
        }
      SparseMatrix<T> A;
      A.rows = A.cols = n;
      for (Index j = 0; j < n; ++j) {
        for (Index i = 0; i < n; ++i)
          if (dense(i, j) != T(0)) A.row.push_back(i), A.value.push_back(dense(i, j));
        A.start.push_back(A.nnz());
      }
      const auto x = this->vector(n), b = this->vector(n);
      std::vector<T> r(n), expected(n);
      std::vector<Real<T>> weight(n), expected_weight(n);
      residual(A, x, b, expected, std::span<Real<T>>(expected_weight));
      A.symmetry = symmetry;
      residual(A, x, b, r, std::span<Real<T>>(weight));
      EXPECT_EQ(r, expected);
      EXPECT_EQ(weight, expected_weight);
    }
}

}  // namespace
}  // namespace overlapack::kernels
