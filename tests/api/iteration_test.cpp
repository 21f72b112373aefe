#include "overlapack/benchmark.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/multiply.hpp"
#include "random_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>
#include <string>
#include <vector>

/// Iterations by the names of their methods.
namespace overlapack {
namespace {

/// Solves with a system of known solution; returns the error.
double error_of(iterative::Iteration<double> iteration, const SparseMatrix<double>& A) {
  const std::vector<double> x = random_vector<double>(A.rows, 3);
  const Solution<double> solution = iteration.solve(multiply<double>(A, x));
  double error = 0;
  for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(solution.x[i] - x[i]));
  return error;
}

TEST(Iteration, JacobiAndMultisplittingByName) {
  const SparseMatrix<double> A = sparse::generate("cube", 5);
  for (const int ranks : {1, 3}) {
    const Options options{.ranks = ranks, .iteration = {.tolerance = 1e-11}};
    EXPECT_LE(error_of(iterative::jacobi(A, options), A), 1e-8);
    EXPECT_LE(error_of(iterative::multisplitting(A, options), A), 1e-8);
  }
}

TEST(Iteration, AnotherMethodIsRefused) {
  const SparseMatrix<double> A = sparse::generate("cube", 3);
  const auto refused = [&](Method other, auto call) {
    try {
      call(Options{.method = other});
      ADD_FAILURE() << "it was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_plan) << error.what();
    }
  };
  refused(Method::multisplitting, [&](const Options& options) { iterative::jacobi(A, options); });
  refused(Method::jacobi, [&](const Options& options) { iterative::multisplitting(A, options); });
}

/// tridiag(-1, diagonal, -1) times `factor`.
template <class T>
SparseMatrix<T> chain(Index n, Real<T> diagonal, Real<T> factor = 1) {
  SparseMatrix<T> A;
  A.rows = A.cols = n;
  for (Index j = 0; j < n; ++j) {
    for (Index i = std::max<Index>(0, j - 1); i <= std::min(n - 1, j + 1); ++i) {
      A.row.push_back(i);
      A.value.push_back(T(factor * (i == j ? diagonal : Real<T>(-1))));
    }
    A.start.push_back(static_cast<Index>(A.row.size()));
  }
  return A;
}

/// ||b - A x||_2 / ||b||_2 in long double.
template <class T>
double residual_of(const SparseMatrix<T>& A, std::span<const T> x, std::span<const T> b) {
  using Wide = std::complex<long double>;
  std::vector<Wide> r(b.begin(), b.end());
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) r[A.row[p]] -= Wide(A.value[p]) * Wide(x[j]);
  long double of_r = 0, of_b = 0, most = 0;
  for (const T& value : b) most = std::max<long double>(most, std::abs(Wide(value)));
  for (std::size_t i = 0; i < b.size(); ++i) {
    of_r += std::norm(r[i] / most);
    of_b += std::norm(Wide(b[i]) / most);
  }
  return static_cast<double>(std::sqrt(of_r / of_b));
}

template <class T>
struct IterationOf : testing::Test {};
using IterationTypes = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(IterationOf, IterationTypes);

/// Right-hand sides whose squares overflow or vanish; the residual that is told is that of x.
TYPED_TEST(IterationOf, TellsTheResidualOfXAtEveryScale) {
  using T = TypeParam;
  const bool is_single = sizeof(Real<T>) == 4;
  const Index n = 50;
  const SparseMatrix<T> A = chain<T>(n, Real<T>(2.5));
  for (const double size :
       {is_single ? 1e-25 : 1e-200, is_single ? 1e-18 : 1e-170, 1.0, is_single ? 1e25 : 1e200})
    for (const Method method : {Method::jacobi, Method::multisplitting})
      for (const Variant variant : {Variant::sync, Variant::async}) {
        std::vector<T> b = random_vector<T>(n, 7);
        for (T& value : b) value *= Real<T>(size);
        const double tolerance = is_single ? 1e-5 : 1e-8;
        const Solution<T> solution =
            iterative::iteration(A, {.method = method, .ranks = 2, .iteration = {.variant = variant}})
                .solve(b);
        EXPECT_EQ(solution.report.status, Status::ok) << size << ": " << solution.report.message;
        const double residual = residual_of<T>(A, solution.x, b);
        EXPECT_LE(residual, 1.01 * tolerance) << size;
        EXPECT_NEAR(solution.report.true_residual, residual, 1e-3 * residual + 1e-12) << size;
        EXPECT_EQ(solution.report.iteration->tolerance, tolerance);
      }
}

/// What single precision cannot reach is not said to be reached.
TEST(Iteration, SinglePrecisionDoesNotClaimMoreThanItHas) {
  const SparseMatrix<float> A = chain<float>(200, 4);
  const std::vector<float> b = random_vector<float>(200, 9);
  const auto solution =
      iterative::jacobi(A, {.ranks = 2, .iteration = {.tolerance = 1e-12, .max_iterations = 500}}).solve(b);
  EXPECT_EQ(solution.report.status, Status::not_converged);
  EXPECT_GT(solution.report.true_residual, 1e-9);
}

TEST(Iteration, TheWorstColumnSpeaksForAll) {
  const Index n = 50;
  const SparseMatrix<double> A = chain<double>(n, 4);
  std::vector<double> b = random_vector<double>(n, 5);
  b.resize(2 * n);  // the second is zero, whose solution is exact
  auto iteration = iterative::jacobi(
      A, {.iteration = {.variant = Variant::sync, .tolerance = 1e-3, .residual_period = 1}});
  const auto report = iteration.solve(b, 2).report;
  EXPECT_GT(report.backward_error, 1e-9);
  EXPECT_GT(report.true_residual, 1e-9);
  EXPECT_EQ(report.right_hand_sides, 2);
  const auto none = iteration.solve({}, 0).report;
  EXPECT_EQ(none.status, Status::ok) << none.message;
  EXPECT_EQ(none.right_hand_sides, 0);
  EXPECT_EQ(none.true_residual, 0);
}

// 11 columns go as 8, 2 and 1; the halos of equal columns are sent once for all that go together.
TEST(Iteration, SeveralRightHandSidesShareSweeps) {
  const SparseMatrix<double> A = sparse::generate("cube", 6);
  const Options options{.ranks = 2, .iteration = {.variant = Variant::sync, .tolerance = 1e-9}};
  auto iteration = iterative::jacobi(A, options);
  std::vector<double> b = random_vector<double>(A.rows, 4);
  const Index n = A.rows, sends = (iteration.solve(b), iteration.report().iteration->sends);
  for (const bool has_start : {false, true}) {
    std::vector<double> all;
    for (int c = 0; c < 11; ++c)
      for (Index i = 0; i < n; ++i) all.push_back(b[i] * (c + 1));
    if (!has_start) std::fill_n(all.begin() + 3 * n, n, 0.0);  // solved by zeros
    const auto found = has_start ? iteration.solve_from(std::vector<double>(all.size(), 0.5), all, 11)
                                 : iteration.solve(all, 11);
    EXPECT_EQ(found.report.status, Status::ok);
    EXPECT_EQ(found.report.right_hand_sides, 11);
    EXPECT_LE(found.report.true_residual, 1.01e-9);
    for (Index c = 0; c < 11; ++c) {
      const std::vector<double> x(found.x.begin() + c * n, found.x.begin() + (c + 1) * n);
      const std::vector<double> Ax = multiply<double>(A, x);
      double most = 0, scale = 0;
      for (Index i = 0; i < n; ++i) {
        most = std::max(most, std::abs(all[c * n + i] - Ax[i]));
        scale += std::pow(all[c * n + i], 2);
      }
      EXPECT_LE(most, 1.01e-9 * std::sqrt(scale)) << c;
    }
    if (!has_start) {
      EXPECT_LE(iteration.report().iteration->sends, 4 * sends);
    }
  }
}

TEST(Iteration, ConjugateGradientsOfSmallAndLargeMatrices) {
  const Index n = 50;
  for (const double factor : {1.0, 1e10, 1e100, 1e-100})
    for (const double inner_tolerance : {0.0, 1e-2}) {
      const SparseMatrix<double> A = chain<double>(n, 4, factor);
      const std::vector<double> b = random_vector<double>(n, 5);
      const auto solution =
          iterative::multisplitting(A, {.ranks = 2,
                                        .multisplitting = {.inner = InnerSolve::conjugate_gradients,
                                                           .inner_tolerance = inner_tolerance}})
              .solve(b);
      EXPECT_EQ(solution.report.status, Status::ok) << factor << ": " << solution.report.message;
    }
  const auto A = chain<std::complex<double>>(n, 4);  // real-valued, so Hermitian as well as symmetric
  const std::vector<std::complex<double>> b(n, 1.0);
  const Options options{.ranks = 2, .multisplitting = {.inner = InnerSolve::conjugate_gradients}};
  EXPECT_EQ(iterative::multisplitting(A, options).solve(b).report.status, Status::ok);
}

/// Where no residual is looked at for long, too.
TEST(Iteration, EndsAtTheTimeLimit) {
  const SparseMatrix<double> A = chain<double>(2000, 2.0001);
  const std::vector<double> b(2000, 1.0);
  const IterationOptions plans[] = {
      {.variant = Variant::sync, .max_iterations = Index{1} << 40, .residual_period = 1000000000},
      {.variant = Variant::async, .tolerance = 0.9999, .final_sweeps = 1000000}};
  for (const IterationOptions& plan : plans) {
    const Options options{.ranks = 2, .iteration = plan, .run = {.time_limit_s = 0.2}};
    try {
      iterative::jacobi(A, options).solve(b);
      ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::cancelled) << error.what();
    }
  }
}

TEST(Iteration, StencilsOfImpossibleSizesAreRefused) {
  for (const Index points : {Index{-10}, Index{0}, Index{3000000}}) {
    try {
      benchmark::stencil({.points = points}, {.ranks = 1});
      ADD_FAILURE() << points;
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_plan) << error.what();
    }
  }
}

/// 1 on the diagonal and c right of it, with b in the last row.
SparseMatrix<double> upper_pair(Index n, double c) {
  SparseMatrix<double> A;
  A.rows = A.cols = n;
  for (Index j = 0; j < n; ++j) {
    if (j > 0) A.row.push_back(j - 1), A.value.push_back(c);
    A.row.push_back(j), A.value.push_back(1);
    A.start.push_back(A.nnz());
  }
  return A;
}
std::vector<double> last_one(Index n) {
  std::vector<double> b(static_cast<std::size_t>(n));
  b.back() = 1;
  return b;
}

/// The radius is 0, and the residual grows by 3^25 on the way to the solution.
TEST(Iteration, AProvenIterationMayGrowOnItsWay) {
  const SparseMatrix<double> A = upper_pair(25, -3);
  for (const Method method : {Method::jacobi, Method::multisplitting})
    for (const Variant variant : {Variant::sync, Variant::async, Variant::racy}) {
      const auto [x, report] =
          iterative::iteration(
              A, {.method = method, .ranks = 2, .iteration = {.variant = variant, .residual_period = 1}})
              .solve(last_one(25));
      EXPECT_EQ(report.status, Status::ok) << report.message;
      EXPECT_EQ(report.iteration->radius_upper, 0);
      EXPECT_TRUE(report.iteration->warning.empty());
    }
  // its residual is above 10^6 on the way; exact after 16 iterations, to the rounding of numbers of 10^7
  const auto many = iterative::multisplitting(upper_pair(820, -1.02),
                                              {.ranks = 16, .iteration = {.variant = Variant::sync}})
                        .solve(last_one(820));
  EXPECT_EQ(many.report.status, Status::ok) << many.report.message;
}

/// Two unknowns that are coupled by 5, and as many rows that stand alone as the caller likes: refused all the same.
TEST(Iteration, ARowAloneDoesNotSwitchTheRefusalOff) {
  SparseMatrix<double> A;
  A.rows = A.cols = 3;
  A.start = {0, 2, 4, 5};
  A.row = {0, 1, 0, 1, 2};
  A.value = {1, 5, 5, 1, 1};
  try {
    iterative::jacobi(A, {.ranks = 2});
    ADD_FAILURE() << "it was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_plan);
    EXPECT_NE(std::string(error.what()).find("at least 5"), std::string::npos) << error.what();
  }
}

TEST(Iteration, ARadiusOfOneIsSaidToBeOne) {
  SparseMatrix<double> A;
  A.rows = A.cols = 2;
  A.start = {0, 2, 4};
  A.row = {0, 1, 0, 1};
  A.value = {1, 1, 1, -1};
  const std::string warning = iterative::jacobi(A, {}).report().iteration->warning;
  EXPECT_NE(warning.find("is 1, as far as rounding lets it be known"), std::string::npos) << warning;
}

/// The proof and the bounds are those of the matrix at hand, also where it has a zero on the diagonal, so that nothing is known.
TEST(Iteration, WhatWasProvenOfAFormerMatrixIsForgotten) {
  const SparseMatrix<double> A = chain<double>(6, 4);
  auto iteration = iterative::multisplitting(A, {.ranks = 2});
  EXPECT_LT(iteration.report().iteration->radius_upper, 1);
  SparseMatrix<double> gap = A;
  gap.value[0] = 0;
  iteration.refactorize(gap);
  EXPECT_TRUE(std::isnan(iteration.report().iteration->radius_lower));
  EXPECT_TRUE(std::isnan(iteration.report().iteration->radius_upper));
  EXPECT_NE(iteration.report().iteration->warning.find("zero on the diagonal"), std::string::npos);
  iteration.refactorize(A);
  EXPECT_LT(iteration.report().iteration->radius_upper, 1);
}

/// A long iteration stores every second, fourth, ... residual, and the last.
TEST(Iteration, AHistoryEndsWithTheLastResidual) {
  int skips = 0;
  for (const Index n : {60, 61, 62}) {
    const SparseMatrix<double> A = chain<double>(n, 2);
    const auto report =
        iterative::jacobi(A, {.ranks = 1, .iteration = {.tolerance = 1e-6, .residual_period = 1}})
            .solve(std::vector<double>(static_cast<std::size_t>(n), 1))
            .report;
    const std::vector<ResidualPoint>& history = report.iteration->history;
    ASSERT_GT(history.size(), 2048u);
    ASSERT_GT(history[1].iteration - history[0].iteration, 1);
    EXPECT_NEAR(history.back().residual, report.true_residual, 1e-12);
    skips += history[1].iteration - history[0].iteration >
             history.back().iteration - history[history.size() - 2].iteration;
  }
  EXPECT_GT(skips, 0);  // at least one iteration does not end where an entry is kept
}

/// 1e-17 is less than rounding allows: the end comes long before a million iterations, and says why.
TEST(Iteration, StagnationEndsARunWithASentence) {
  const SparseMatrix<double> A = sparse::generate("cube", 5);
  for (const Method method : {Method::jacobi, Method::multisplitting})
    for (const Variant variant : {Variant::sync, Variant::async}) {
      const Solution<double> solution =
          iterative::iteration(
              A, {.method = method, .ranks = 2, .iteration = {.variant = variant, .tolerance = 1e-17}})
              .solve(random_vector<double>(A.rows, 3));
      EXPECT_EQ(solution.report.status, Status::not_converged);
      EXPECT_NE(solution.report.message.find("stagnates"), std::string::npos) << solution.report.message;
      EXPECT_NE(solution.report.message.find("rounding allows no less"), std::string::npos)
          << solution.report.message;
      EXPECT_LT(solution.report.true_residual, 1e-14);
      EXPECT_LT(solution.report.iterations_mean, 500000);
    }
}

}  // namespace
}  // namespace overlapack
