#include "api/refine/refinement.hpp"

#include "api/refine/refined_solve.hpp"
#include "base/random.hpp"
#include "residuals_of.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

namespace overlapack::api {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

/// Dense n x n by columns, diagonally dominant.
SparseMatrix<double> random_matrix(Index n, std::uint64_t seed) {
  Random random(seed);
  SparseMatrix<double> A;
  A.rows = A.cols = n;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      A.row.push_back(i);
      A.value.push_back(random.uniform(-1, 1) + (i == j ? 2.0 * double(n) : 0));
    }
    A.start.push_back(A.nnz());
  }
  return A;
}

std::vector<double> random_vector(Index n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> v(static_cast<std::size_t>(n));
  for (double& x : v) x = random.uniform(-1, 1);
  return v;
}

/// max_i |b - A x|_i / (|A||x| + |b|)_i, in long double: Oettli and Prager's backward error.
double slow_backward_error(const SparseMatrix<double>& A, const double* b, const double* x) {
  double most = 0;
  for (Index i = 0; i < A.rows; ++i) {
    long double r = b[i], w = std::abs(b[i]);
    for (Index j = 0; j < A.cols; ++j) {
      const long double product = static_cast<long double>(A.value[j * A.rows + i]) * x[j];
      r -= product;
      w += std::abs(product);
    }
    most = std::max(most, static_cast<double>(std::abs(r) / w));
  }
  return most;
}

TEST(Residual, IsOettliAndPragersErrorOnOrdinaryRows) {
  for (Index n : {1, 2, 17}) {
    const auto A = random_matrix(n, 1);
    const auto b = random_vector(n, 2), x = random_vector(n, 3);
    std::vector<double> r(b.size());
    const BackwardError error = residual<double>(A, row_maxima(A), b, x, r);
    EXPECT_NEAR(error.omega1, slow_backward_error(A, b.data(), x.data()), 4 * double(n) * eps);
    EXPECT_EQ(error.omega2, 0);
  }
}

/// Arioli, Demmel and Duff: a row whose |A||x| + |b| is only rounding counts in omega2, by the norms.
TEST(Residual, RowsOfRoundingCountBySize) {
  SparseMatrix<double> A;
  A.rows = A.cols = 2;
  A.start = {0, 1, 3};
  A.row = {0, 0, 1};
  A.value = {1, 1, 1};
  // row 1: x_1 = 1e-30, b_1 = 0: |r| / (|A||x| + |b|) = 1, although x_1 is as good as zero beside x_0 = 1
  const std::vector<double> x{1, 1e-30}, b{1, 0};
  std::vector<double> r(2);
  const BackwardError error = residual<double>(A, row_maxima(A), b, x, r);
  EXPECT_LT(error.omega1, 4 * eps);
  EXPECT_NEAR(error.omega2, 1e-30, 1e-40);
}

TEST(Residual, ReportsNaN) {
  const auto A = random_matrix(3, 1);
  const std::vector<double> b(3, 1), x{1, std::numeric_limits<double>::quiet_NaN(), 1};
  std::vector<double> r(3);
  EXPECT_TRUE(std::isnan(residual<double>(A, row_maxima(A), b, x, r).sum()));
}

/// A solver that is wrong by a factor (1 + delta): each step leaves delta of the error.
void sloppy_solve(const std::vector<double>& inverse_times, Refinement<double>& refinement, double delta,
                  Index n) {
  for (Index k = 0; k < n * refinement.active_columns(); ++k)
    refinement.corrections()[k] = refinement.residual()[k] * inverse_times[k % n] * (1 + delta);
}

SparseMatrix<double> diagonal(const std::vector<double>& d) {
  SparseMatrix<double> A;
  A.rows = A.cols = static_cast<Index>(d.size());
  for (std::size_t j = 0; j < d.size(); ++j) {
    A.row.push_back(static_cast<Index>(j));
    A.value.push_back(d[j]);
    A.start.push_back(A.nnz());
  }
  return A;
}

TEST(Refinement, ReachesItsTargetColumnByColumnAndCountsSteps) {
  const Index n = 5, nrhs = 3;
  const auto d = random_vector(n, 4);
  std::vector<double> inverse;
  for (double v : d) inverse.push_back(1 / v);
  const auto A = diagonal(d);
  auto b = random_vector(n * nrhs, 5);
  std::fill_n(b.begin() + n, n, 0.0);
  std::vector<double> x(b.size());
  Refinement<double> refinement(A.rows, residuals_of(A, row_maxima(A)), b, x, nrhs,
                                {.steps = 20, .target = 2 * eps});
  int solves = 0;
  for (; refinement.active_columns() > 0 && solves < 30; ++solves) {
    sloppy_solve(inverse, refinement, 1e-4, n);
    refinement.advance();
  }
  // 1e-4, 1e-8, 1e-12, 1e-16: four solves, three of them corrections
  EXPECT_EQ(solves, 4);
  EXPECT_EQ(refinement.results()[0].steps, 3);
  EXPECT_EQ(refinement.results()[1].steps, 0);
  for (Index k = 0; k < nrhs; ++k) EXPECT_LE(refinement.results()[k].error.sum(), 2 * eps);
  for (Index k = 0; k < n * nrhs; ++k) EXPECT_NEAR(x[k] * d[k % n], b[k], 4 * eps);
}

TEST(Refinement, TakesBackACorrectionThatHarms) {
  const std::vector<double> d{1, 2}, inverse{1, 0.5}, b{1, 1};
  const auto A = diagonal(d);
  std::vector<double> x(2);
  Refinement<double> refinement(A.rows, residuals_of(A, row_maxima(A)), b, x, 1, {.steps = 5, .target = eps});
  sloppy_solve(inverse, refinement, 1e-3, 2);
  refinement.advance();
  const std::vector<double> before = x;
  const double error = refinement.results()[0].error.sum();
  ASSERT_EQ(refinement.active_columns(), 1);
  sloppy_solve(inverse, refinement, -5, 2);  // leaves -4 times the error
  refinement.advance();
  EXPECT_EQ(refinement.active_columns(), 0);
  EXPECT_EQ(x, before);
  EXPECT_EQ(refinement.results()[0].error.sum(), error);
}

TEST(Refinement, StopsWhereItStagnatesAndAtItsLastStep) {
  const std::vector<double> d{1, 2}, inverse{1, 0.5}, b{1, 1};
  const auto A = diagonal(d);
  std::vector<double> x(2);
  Refinement<double> slow(A.rows, residuals_of(A, row_maxima(A)), b, x, 1,
                          {.steps = 50, .target = 0, .slowest = 0.2});
  int solves = 0;
  for (; slow.active_columns() > 0; ++solves) {
    sloppy_solve(inverse, slow, 0.5, 2);  // each step leaves half of the error
    slow.advance();
  }
  EXPECT_EQ(solves, 2);
  Refinement<double> none(A.rows, residuals_of(A, row_maxima(A)), b, x, 1, {.steps = 0, .target = 0});
  sloppy_solve(inverse, none, 0.1, 2);
  none.advance();
  EXPECT_EQ(none.active_columns(), 0);
}

/// Two equations whose x depends on last digits, and one of which the first solve has a wrong answer: its correction tells nothing of
/// the two. Changes of these two add up or cancel each other, by the sign of the second. The second right-hand side is corrected and
/// not tested.
TEST(Refinement, TestsTheFirstXAlsoAfterACorrection) {
  for (const double sign : {1.0, -1.0}) {
    const double d = 0x1p-40;
    SparseMatrix<double> A;
    A.rows = A.cols = 3;
    A.start = {0, 2, 4, 5};
    A.row = {0, 1, 0, 1, 2};
    A.value = {1, sign, 1, sign * (1 + d), 1};
    const std::vector<double> b{2, sign * (2 + d), 1, 2, sign * (2 + d), 2}, solution{1, 1, 1, 1, 1, 2};
    const std::vector<double> sizes = row_maxima(A);
    std::vector<double> x(6);
    Refinement<double> refinement(
        A.rows, residuals_of(A, sizes), b, x, 2,
        {.steps = 10, .target = 2 * eps, .test = DigitTest::of_any, .row_max = sizes});
    std::vector<Index> active, measured;
    while (refinement.active_columns() > 0) {
      active.push_back(refinement.active_columns());
      measured.push_back(refinement.measured_columns());
      for (Index k = 0; k < refinement.active_columns(); ++k) {
        const double* const r = refinement.residual() + 3 * k;
        double* const y = refinement.corrections() + 3 * k;
        y[1] = (sign * r[1] - r[0]) / d;
        y[0] = r[0] - y[1];
        y[2] = r[2] * (1 + 1e-8);
      }
      refinement.advance();
    }
    EXPECT_EQ(active, (std::vector<Index>{2, 3, 1}));  // any x may change, so the test of these x follows
    EXPECT_EQ(measured, (std::vector<Index>{2, 2, 0}));
    for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], solution[k], 4 * eps);
    const RefinementResult& first = refinement.results()[0];
    EXPECT_EQ(first.steps, 1);
    EXPECT_GE(first.error_of_x, 0.1 * eps / d);  // |A||x| + |b| is 4 in both rows
    EXPECT_LE(first.error_of_x, 6 * eps / d);
    EXPECT_LT(refinement.results()[1].error_of_x, 4 * eps);
    EXPECT_EQ(first.error_of_x, refinement.digit_change().of_these);
    EXPECT_GE(refinement.digit_change().of_any, 0.1 * eps / d);
    EXPECT_LE(refinement.digit_change().of_any, 6 * eps / d);
  }
}

TEST(RightHandSides, OfFiniteNumbersMayHaveInfiniteModuli) {
  using C = std::complex<float>;
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_NO_THROW(require_right_hand_sides<C>(std::vector<C>{C(2.5e38f, 2.5e38f)}, 1, 1));
  for (const C bad : {C(1, infinity), C(infinity, 1), C(1, std::nanf(""))})
    EXPECT_THROW(require_right_hand_sides<C>(std::vector<C>{bad}, 1, 1), Error);
}

TEST(Refinement, OfNoRightHandSideIsDone) {
  const auto A = diagonal({1, 2});
  EXPECT_EQ(Refinement<double>(A.rows, residuals_of(A, row_maxima(A)), {}, {}, 0, {}).active_columns(), 0);
}

}  // namespace
}  // namespace overlapack::api
