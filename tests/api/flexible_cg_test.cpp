#include "api/refine/flexible_cg.hpp"

#include "api/refine/flexible_gmres.hpp"
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
struct CgTest : ::testing::Test {};
using CgTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(CgTest, CgTypes);

/// A Hermitian band matrix in columns, all of it stored, whose diagonal goes up to 40; positive definite by dominance, unless some
/// entries of its diagonal are negative.
template <class T>
SparseMatrix<T> hermitian_band(Index n, bool is_definite = true) {
  const auto off_diagonal = [](Index i, Index j) {
    Random random(static_cast<std::uint64_t>(1000 * std::min(i, j) + std::max(i, j)));
    const T value = random_value<T>(random) / Real<T>(2);
    return i < j ? value : conjugate(value);
  };
  SparseMatrix<T> A;
  A.rows = A.cols = n;
  for (Index j = 0; j < n; ++j) {
    for (const Index i : {j - 7, j - 1, j, j + 1, j + 7}) {
      if (i < 0 || i >= n) continue;
      A.row.push_back(i);
      const auto diagonal = static_cast<Real<T>>(5 + j % 36);
      A.value.push_back(i != j ? off_diagonal(i, j) : T(is_definite || j % 9 != 0 ? diagonal : -diagonal));
    }
    A.start.push_back(static_cast<Index>(A.row.size()));
  }
  return A;
}

/// M^{-1} is the diagonal's inverse, and a little more or less from one entry and one call to the next.
template <class T, class Krylov>
int precondition(const SparseMatrix<T>& A, Krylov& krylov) {
  int calls = 0;
  for (; krylov.active_columns() > 0; ++calls) {
    if (krylov.is_next_step_solve())
      for (Index j = 0; j < A.cols; ++j)
        for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
          if (A.row[k] == j)
            krylov.corrections()[j] =
                krylov.residual()[j] / A.value[k] * static_cast<Real<T>>(1 + 0.01 * ((j + calls) % 3));
    krylov.advance();
  }
  return calls;
}

template <class T>
constexpr double target_of = 50 * static_cast<double>(std::numeric_limits<Real<T>>::epsilon());

/// A start near the solution, or a coarse target, asks for fewer steps.
TYPED_TEST(CgTest, ACycleDoesNotGoBeyondTheTarget) {
  using T = TypeParam;
  const Index n = 200;
  const SparseMatrix<T> A = hermitian_band<T>(n);
  const std::vector<T> b = random_vector<T>(n, 5);
  const auto steps = [&](double target, std::vector<T>& x) {
    FlexibleCg<T> cg(residuals_of(A, row_maxima(A)), b, std::span<T>(x),
                     {.steps = 400, .target = target, .is_of_norms = true, .reduction = 1e-6});
    precondition(A, cg);
    EXPECT_LE(cg.error().sum(), target);
    return cg.steps();
  };
  std::vector<T> x(b.size()), again(b.size());
  const int coarse = steps(1e-2, x), fine = steps(1e-5, again);
  EXPECT_LT(coarse, fine);
  EXPECT_LT(steps(1e-5, x), fine);
}

/// As GMRES does, within twice its steps and four more; whatever b's unit is, also where its square vanishes or overflows.
TYPED_TEST(CgTest, ReachesTheTarget) {
  using T = TypeParam;
  const Index n = 200;
  const SparseMatrix<T> A = hermitian_band<T>(n);
  constexpr int half = std::numeric_limits<Real<T>>::max_exponent / 2 + 10;
  for (const int exponent : {0, -half, half}) {
    SCOPED_TRACE(exponent);
    std::vector<T> b = random_vector<T>(n, 5);
    for (T& value : b) value *= std::ldexp(Real<T>(1), exponent);
    std::vector<T> x(b.size()), by_gmres(b.size()), r(b.size());
    const KrylovLimits limits{.steps = 200, .target = target_of<T>};
    FlexibleCg<T> cg(residuals_of(A, row_maxima(A)), b, std::span<T>(x), limits);
    FlexibleGmres<T> gmres(residuals_of(A, row_maxima(A)), b, std::span<T>(by_gmres), limits);
    precondition(A, cg);
    precondition(A, gmres);
    const BackwardError error = residual<T>(A, row_maxima(A), b, x, r);
    EXPECT_LE(error.sum(), limits.target);
    EXPECT_EQ(error.sum(), cg.error().sum());
    EXPECT_GT(cg.steps(), 2);
    EXPECT_LE(cg.steps(), 2 * gmres.steps() + 4);
    EXPECT_LE(gmres.error().sum(), limits.target);
  }
}

TYPED_TEST(CgTest, StopsAtItsStepsAndKeepsTheBest) {
  using T = TypeParam;
  const SparseMatrix<T> A = hermitian_band<T>(80);
  const std::vector<T> b = random_vector<T>(80, 5);
  std::vector<T> x = random_vector<T>(80, 6), r(b.size());
  const double before = residual<T>(A, row_maxima(A), b, x, r).strict;
  FlexibleCg<T> cg(residuals_of(A, row_maxima(A)), b, std::span<T>(x), {.steps = 3, .target = 0});
  EXPECT_EQ(precondition(A, cg), 5);  // x, three solves, x
  EXPECT_EQ(cg.steps(), 3);
  EXPECT_LE(residual<T>(A, row_maxima(A), b, x, r).strict, before);
}

/// A matrix that is not definite has directions of no use: it ends, with no x that is worse than the one it had.
TYPED_TEST(CgTest, EndsWhereNothingIsDefinite) {
  using T = TypeParam;
  const SparseMatrix<T> A = hermitian_band<T>(80, false);
  SparseMatrix<T> minus = hermitian_band<T>(80);
  for (T& value : minus.value) value = -value;
  const std::vector<T> b = random_vector<T>(80, 5), start = random_vector<T>(80, 6);
  for (const SparseMatrix<T>* matrix : {&A, static_cast<const SparseMatrix<T>*>(&minus)}) {
    std::vector<T> x = start, r(b.size());
    const double before = residual<T>(*matrix, row_maxima(*matrix), b, x, r).strict;
    FlexibleCg<T> cg(residuals_of(*matrix, row_maxima(*matrix)), b, std::span<T>(x),
                     {.steps = 500, .target = 0});
    while (cg.active_columns() > 0) {
      if (cg.is_next_step_solve()) std::copy_n(cg.residual(), 80, cg.corrections());
      cg.advance();
    }
    EXPECT_LE(residual<T>(*matrix, row_maxima(*matrix), b, x, r).strict, before);
    if (matrix == &minus) {  // the first direction already
      EXPECT_EQ(x, start);
      EXPECT_EQ(cg.steps(), 1);
    }
  }
}

/// A solve that tells nothing ends it, with x as it was.
TYPED_TEST(CgTest, EndsWithoutDirections) {
  using T = TypeParam;
  const SparseMatrix<T> A = hermitian_band<T>(20);
  const std::vector<T> b = random_vector<T>(20, 5), start = random_vector<T>(20, 6);
  std::vector<T> x = start;
  FlexibleCg<T> cg(residuals_of(A, row_maxima(A)), b, std::span<T>(x), {.steps = 50, .target = 0});
  while (cg.active_columns() > 0) {
    if (cg.is_next_step_solve()) std::fill_n(cg.corrections(), 20, T(0));
    cg.advance();
  }
  EXPECT_EQ(x, start);
}

}  // namespace
}  // namespace overlapack::api
