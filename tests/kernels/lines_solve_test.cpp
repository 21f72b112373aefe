#include "kernels/product/lines_solve.hpp"

#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/reference/gemm.hpp"
#include "kernels/update/adjoint.hpp"
#include "random_matrix.hpp"

namespace overlapack::kernels {
namespace {

template <class T>
struct LinesSolveTest : ::testing::Test {
  Random random{43};

  /// Off-diagonal entries are small: a triangle of it is well conditioned, also with a unit diagonal.
  Matrix<T> square(Index n) {
    auto A = Matrix<T>::random(n, n, random);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) A(i, j) = i == j ? T(2) + A(i, j) : A(i, j) / T(n);
    return A;
  }
  static Matrix<T> transposed(Matrix<T>& A) {
    Matrix<T> B(A.cols(), A.rows());
    adjoint<T>(A.view(), B.view(), false);
    return B;
  }
  static void expect_equal(Matrix<T>& lines, const Matrix<T>& columns, Index inner, const std::string& what) {
    EXPECT_TRUE(all_near<T>(transposed(lines), columns, 200 * (inner + 2.0) * eps<T>)) << what;
  }
};
TYPED_TEST_SUITE(LinesSolveTest, AllScalars);

constexpr Op all_ops[] = {Op::none, Op::trans, Op::conj_trans};

TYPED_TEST(LinesSolveTest, ProductsAgreeWithThoseOfColumns) {
  using T = TypeParam;
  for (const Op op : all_ops)
    for (const auto& [m, n] :
         std::vector<std::pair<Index, Index>>{{0, 5}, {5, 0}, {1, 1}, {7, 9}, {70, 33}, {9, 1100}})
      for (const Index count : {1, 2, 3, 8, 16, 33})
        for (const bool accumulate : {false, true}) {
          const auto A = Matrix<T>::random(op == Op::none ? m : n, op == Op::none ? n : m, this->random);
          auto X = Matrix<T>::random(count, n, this->random), Y = Matrix<T>::random(count, m, this->random);
          auto expected = this->transposed(Y);
          reference::gemm<T>(op, Op::none, T(-1), A.view(), this->transposed(X).view(), T(accumulate ? 1 : 0),
                             expected.view());
          subtract_lines<T>(op, A.view(), X.view(), accumulate, Y.view());
          this->expect_equal(Y, expected, n,
                             std::to_string(m) + ' ' + std::to_string(n) + ' ' + std::to_string(count));
        }
}

TYPED_TEST(LinesSolveTest, TrianglesAgreeWithThoseOfColumns) {
  using T = TypeParam;
  for (const Op op : all_ops)
    for (const Index n : {0, 1, 2, 7, 8, 9, 23, 64, 70})
      for (const Index count : {1, 2, 5, 16, 33})
        for (const bool unit : {false, true}) {
          const auto A = this->square(n);
          const bool conj = op == Op::conj_trans;
          auto X = Matrix<T>::random(count, n, this->random);
          auto lower = this->transposed(X), upper = lower;
          auto Y = X;
          if (op == Op::none) {
            solve_left_lower<T>(A.view(), unit, lower.view());
            solve_left_upper<T>(A.view(), unit, upper.view());
          } else {
            solve_left_upper_trans<T>(A.view(), unit, conj, lower.view());
            solve_left_lower_trans<T>(A.view(), unit, conj, upper.view());
          }
          const std::string what = std::to_string(n) + ' ' + std::to_string(count);
          solve_lines_lower<T>(op, A.view(), unit, X.view());
          this->expect_equal(X, lower, n, "lower " + what);
          solve_lines_upper<T>(op, A.view(), unit, Y.view());
          this->expect_equal(Y, upper, n, "upper " + what);
        }
}

/// The bits of a right-hand side do not depend on those beside it.
TYPED_TEST(LinesSolveTest, ALineIsSolvedAsAlone) {
  using T = TypeParam;
  const Index n = 90, count = 11;
  const auto A = this->square(n);
  const auto B = Matrix<T>::random(count, n, this->random);
  auto together = B;
  solve_lines_lower<T>(Op::none, A.view(), false, together.view());
  for (Index r = 0; r + 1 < count; ++r) {
    Matrix<T> two(2, n);
    for (Index i = 0; i < n; ++i) two(0, i) = B(r, i), two(1, i) = B(count - 1, i);
    solve_lines_lower<T>(Op::none, A.view(), false, two.view());
    for (Index i = 0; i < n; ++i) ASSERT_EQ(two(0, i), together(r, i)) << r << ' ' << i;
  }
}

TYPED_TEST(LinesSolveTest, OneRightHandSideIsAColumn) {
  using T = TypeParam;
  const Index n = 40;
  const auto A = this->square(n);
  for (const Op op : all_ops) {
    auto line = Matrix<T>::random(1, n, this->random), with_guards = line;
    std::vector<T> column(static_cast<std::size_t>(n)), product(column.size());
    for (Index i = 0; i < n; ++i) column[static_cast<std::size_t>(i)] = line(0, i);
    Matrix<T> expected(1, n);
    const MatrixView<T> x{column.data(), 1, n, 1}, y{product.data(), 1, n, 1};
    subtract_lines<T>(op, A.view(), x, false, y);
    subtract_lines<T>(op, A.view(), line.view(), false, expected.view());
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(std::abs(y(0, i) - expected(0, i)), 0, 200 * n * eps<T>);
    solve_lines_lower<T>(op, A.view(), false, x);
    solve_lines_lower<T>(op, A.view(), false, line.view());
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(std::abs(x(0, i) - line(0, i)), 0, 200 * n * eps<T>);
    solve_lines_upper<T>(op, A.view(), true, x);
    solve_lines_upper<T>(op, A.view(), true, line.view());
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(std::abs(x(0, i) - line(0, i)), 0, 200 * n * eps<T>);
  }
}

TYPED_TEST(LinesSolveTest, LinesAreWholeVectors) {
  using T = TypeParam;
  EXPECT_EQ(line_length<T>(1), 1);  // a column
  const Index least = line_length<T>(2);
  for (Index count = 2; count < 70; ++count) {
    EXPECT_GE(line_length<T>(count), count);
    EXPECT_LT(line_length<T>(count), count + least);
    EXPECT_EQ(line_length<T>(count) % least, 0);
  }
}

TYPED_TEST(LinesSolveTest, DiagonalsAgreeWithThoseOfColumns) {
  using T = TypeParam;
  const Index n = 9, count = 5;
  std::vector<T> d(n), d_off(n, T(0));
  for (Index k = 0; k < n; ++k) d[static_cast<std::size_t>(k)] = T(2 + static_cast<Real<T>>(k));
  d_off[1] = d_off[5] = T(7);  // 2x2 pivots
  for (const bool hermitian : {false, true}) {
    auto X = Matrix<T>::random(count, n, this->random);
    auto expected = this->transposed(X);
    solve_d<T>(hermitian, d, d_off, expected.view());
    solve_lines_d<T>(hermitian, d, d_off, X.view());
    this->expect_equal(X, expected, 0, "D");
  }
}

}  // namespace
}  // namespace overlapack::kernels
