#include "api/refine/flexible_gmres.hpp"

#include "overlapack/generate.hpp"
#include "random_values.hpp"
#include "residuals_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <limits>
#include <vector>

namespace overlapack::api {
namespace {

template <class T>
struct GmresTest : ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(GmresTest, Types);

/// A general matrix, diagonally dominant by a little, in columns.
template <class T>
SparseMatrix<T> system_of(Index n) {
  Random random(11);
  SparseMatrix<T> A;
  A.rows = A.cols = n;
  for (Index j = 0; j < n; ++j) {
    for (const Index i : {j - 7, j - 1, j, j + 1, j + 5}) {
      if (i < 0 || i >= n) continue;
      A.row.push_back(i);
      A.value.push_back(random_value<T>(random) + T(i == j ? 3 : 0));
    }
    A.start.push_back(static_cast<Index>(A.row.size()));
  }
  return A;
}

/// M^{-1} v with the diagonal of A, or with nothing at all.
template <class T>
int drive(const SparseMatrix<T>& A, FlexibleGmres<T>& gmres, bool by_diagonal) {
  int calls = 0;
  for (; gmres.active_columns() > 0; ++calls) {
    if (gmres.is_next_step_solve())
      for (Index j = 0; j < A.cols; ++j) {
        T diagonal(1);
        for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
          if (A.row[k] == j) diagonal = A.value[k];
        gmres.corrections()[j] = by_diagonal ? gmres.residual()[j] / diagonal : gmres.residual()[j];
      }
    gmres.advance();
  }
  return calls;
}

TYPED_TEST(GmresTest, ReachesTheTarget) {
  using T = TypeParam;
  const Index n = 80;
  const SparseMatrix<T> A = system_of<T>(n);
  const std::vector<T> b = random_vector<T>(n, 5);
  const double target = 50 * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
  int steps[2];
  for (const bool by_diagonal : {false, true}) {
    std::vector<T> x(b.size());
    FlexibleGmres<T> gmres(residuals_of(A, row_maxima(A)), b, std::span<T>(x),
                           {.steps = 400, .restart = 40, .target = target});
    drive(A, gmres, by_diagonal);
    std::vector<T> r(b.size());
    const std::vector<double> maxima = row_maxima(A);
    const BackwardError error = residual<T>(A, maxima, b, x, r);
    EXPECT_LE(error.sum(), target);
    EXPECT_EQ(error.sum(), gmres.error().sum());
    steps[by_diagonal] = gmres.steps();
  }
  EXPECT_LT(steps[1], 400);
}

/// Without Z the same x to rounding, for one more solve a cycle.
TYPED_TEST(GmresTest, AFixedOperatorNeedsNoZ) {
  using T = TypeParam;
  const Index n = 80;
  const SparseMatrix<T> A = system_of<T>(n);
  const std::vector<T> b = random_vector<T>(n, 5);
  std::vector<T> x[2];
  int calls[2], steps[2];
  for (const bool is_fixed : {false, true}) {
    x[is_fixed].resize(b.size());
    FlexibleGmres<T> gmres(residuals_of(A, row_maxima(A)), b, std::span<T>(x[is_fixed]),
                           {.steps = 12, .restart = 6, .target = 0, .is_fixed = is_fixed, .reduction = 0});
    calls[is_fixed] = drive(A, gmres, true);
    steps[is_fixed] = gmres.steps();
  }
  EXPECT_EQ(steps[1], steps[0]);
  EXPECT_EQ(calls[1], calls[0] + 2);
  const double epsilon = static_cast<double>(std::numeric_limits<Real<T>>::epsilon());
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(std::abs(x[1][i] - x[0][i]), 0, 1e3 * epsilon);
}

/// A cycle that begins near the target asks for no more than what is left: less work for a coarser target, and from a better start.
TYPED_TEST(GmresTest, ACycleDoesNotGoBeyondTheTarget) {
  using T = TypeParam;
  const Index n = 80;
  const SparseMatrix<T> A = system_of<T>(n);
  const std::vector<T> b = random_vector<T>(n, 5);
  const auto steps = [&](double target, std::vector<T>& x) {
    FlexibleGmres<T> gmres(
        residuals_of(A, row_maxima(A)), b, std::span<T>(x),
        {.steps = 400, .restart = 6, .target = target, .is_of_norms = true, .reduction = 0});
    drive(A, gmres, true);
    EXPECT_LE(gmres.error().sum(), target);
    return gmres.steps();
  };
  std::vector<T> x(b.size()), again(b.size());
  const int coarse = steps(2e-3, x), fine = steps(2e-5, again);
  EXPECT_NE(coarse % 6, 0);  // in the middle of a cycle
  EXPECT_LT(coarse, fine);
  EXPECT_LT(steps(2e-5, x), fine);
}

TYPED_TEST(GmresTest, StopsAtItsStepsAndKeepsTheBest) {
  using T = TypeParam;
  const Index n = 80;
  const SparseMatrix<T> A = system_of<T>(n);
  const std::vector<T> b = random_vector<T>(n, 5);
  std::vector<T> x = random_vector<T>(n, 6), r(b.size());
  const std::vector<double> maxima = row_maxima(A);
  const double before = residual<T>(A, maxima, b, x, r).strict;
  FlexibleGmres<T> gmres(residuals_of(A, row_maxima(A)), b, std::span<T>(x),
                         {.steps = 3, .restart = 40, .target = 0});
  EXPECT_EQ(drive(A, gmres, true), 5);  // x, three solves, x
  EXPECT_EQ(gmres.steps(), 3);
  EXPECT_LE(residual<T>(A, maxima, b, x, r).strict, before);
}

/// A solve that tells nothing ends it, with x as it was.
TYPED_TEST(GmresTest, EndsWithoutDirections) {
  using T = TypeParam;
  const SparseMatrix<T> A = system_of<T>(20);
  const std::vector<T> b = random_vector<T>(20, 5), start = random_vector<T>(20, 6);
  std::vector<T> x = start;
  FlexibleGmres<T> gmres(residuals_of(A, row_maxima(A)), b, std::span<T>(x), {.steps = 50, .target = 0});
  while (gmres.active_columns() > 0) {
    if (gmres.is_next_step_solve()) std::fill_n(gmres.corrections(), 20, T(0));
    gmres.advance();
  }
  EXPECT_EQ(x, start);
}

}  // namespace
}  // namespace overlapack::api
