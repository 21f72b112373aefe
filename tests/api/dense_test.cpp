#include "overlapack/dense.hpp"

#include "api/dense/dense_plan.hpp"
#include "api/dense/dense_report.hpp"
#include "api/dense/discipline_choice.hpp"
#include "random_values.hpp"
#include "trace/record/recorder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

namespace overlapack::dense {
namespace {

template <class T>
View<T> square(const std::vector<T>& A, Index n) {
  return {A.data(), n, n, n};
}

template <class T>
T entry(const std::vector<T>& A, Index n, Transpose op, Index i, Index j) {
  if (op == Transpose::none) return A[i + j * n];
  return op == Transpose::trans ? A[j + i * n] : conjugate(A[j + i * n]);
}

/// max_i |b - op(A) x|_i / (|op(A)||x| + |b|)_i in long double.
template <class T>
double slow_backward_error(const std::vector<T>& A, Index n, Transpose op, const T* b, const T* x) {
  using Long = std::complex<long double>;
  double most = 0;
  for (Index i = 0; i < n; ++i) {
    Long r = b[i];
    long double w = std::abs(b[i]);
    for (Index j = 0; j < n; ++j) {
      const Long product = Long(entry(A, n, op, i, j)) * Long(x[j]);
      r -= product;
      w += std::abs(product);
    }
    if (w > 0) most = std::max(most, static_cast<double>(std::abs(r) / w));
  }
  return most;
}

template <class T>
constexpr double eps = std::numeric_limits<Real<T>>::epsilon();

void expect_error(Status kind, const std::function<void()>& f, const std::string& saying = "") {
  try {
    f();
    ADD_FAILURE() << "no error of kind " << to_string(kind);
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.status()), to_string(kind)) << error.what();
    EXPECT_NE(std::string(error.what()).find(saying), std::string::npos) << error.what();
  }
}

template <class T>
class DenseOf : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DenseOf, Types);

TYPED_TEST(DenseOf, SolvesHaveASmallBackwardErrorOnAnyGrid) {
  using T = TypeParam;
  struct Where {
    int ranks;
    GridShape grid;
  };
  for (const Index n : {1, 2, 31, 100})
    for (const Where& where : {Where{1, {}}, {2, {}}, {4, {2, 2}}, {4, {1, 3}}, {6, {3, 2}}}) {
      const auto A = random_vector<T>(n * n, 1), b = random_vector<T>(n, 2);
      const Solution<T> solution =
          solve<T>(square(A, n), b, {.ranks = where.ranks, .dense = {.block = 8, .grid = where.grid}});
      EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
      EXPECT_LE(slow_backward_error(A, n, Transpose::none, b.data(), solution.x.data()), 90 * eps<T>);
      EXPECT_EQ(solution.report.ranks, where.ranks);
      EXPECT_EQ(solution.report.method, "dense");
      ASSERT_TRUE(solution.report.dense);
      EXPECT_EQ(solution.report.dense->block, 8);
    }
}

TYPED_TEST(DenseOf, TransposedSystemsAndManyRightHandSides) {
  using T = TypeParam;
  const Index n = 37, nrhs = 70;  // more than are solved together
  const auto A = random_vector<T>(n * n, 3), b = random_vector<T>(n * nrhs, 4);
  auto factors = lu_factor<T>(square(A, n), {.ranks = 3, .dense = {.block = 8}});
  for (const Transpose op : {Transpose::none, Transpose::trans, Transpose::conj_trans}) {
    const Solution<T> solution = factors.solve(b, nrhs, op);
    EXPECT_EQ(solution.report.right_hand_sides, nrhs);
    for (Index k = 0; k < nrhs; ++k)
      EXPECT_LE(slow_backward_error(A, n, op, b.data() + k * n, solution.x.data() + k * n), 90 * eps<T>);
  }
}

TYPED_TEST(DenseOf, EveryScheduleSolvesAndCounts) {
  using T = TypeParam;
  const Index n = 60;
  const auto A = random_vector<T>(n * n, 5), b = random_vector<T>(n, 6);
  for (const char* schedule : {"flat", "lookahead", "split", "parity", "hybrid"}) {
    Options options{.ranks = 4,
                    .dense = {.schedule = choice_named<Schedule>(schedule), .block = 4, .grid = {2, 2}},
                    .run = {.ranks_per_node = 2}};
    options.workers = schedule == std::string("hybrid") ? 1 : 0;
    const auto solution = solve<T>(square(A, n), b, options);
    EXPECT_LE(slow_backward_error(A, n, Transpose::none, b.data(), solution.x.data()), 90 * eps<T>)
        << schedule;
    const DenseFigures& figures = *solution.report.dense;
    EXPECT_EQ(figures.schedule, schedule);
    EXPECT_GT(figures.panels, 0);
    EXPECT_EQ(figures.panels_ahead > 0, std::string("flat parity").find(schedule) == std::string::npos)
        << schedule;
    EXPECT_EQ(figures.split_updates > 0, schedule == std::string("split"));
    EXPECT_EQ(figures.opposite_phases > 0, schedule == std::string("parity"));
    EXPECT_EQ(figures.rearranged_lower + figures.rearranged_upper > 0, schedule == std::string("parity"));
    EXPECT_EQ(figures.direct_interchanges > 0, schedule == std::string("parity"));
    EXPECT_EQ(figures.binary_exchanges + figures.spread_rolls > 0, schedule != std::string("parity"));
  }
}

TYPED_TEST(DenseOf, CholeskyByPutsSolves) {
  using T = TypeParam;
  const Index n = 60;
  std::vector<T> A(static_cast<std::size_t>(n * n));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) A[i + j * n] = T(i == j ? Real<T>(n) : 1 / Real<T>(1 + std::abs(i - j)));
  const auto b = random_vector<T>(n, 6);
  auto factors = cholesky_factor<T>(
      square(A, n), {.ranks = 4, .dense = {.discipline = Discipline::onesided, .block = 4, .grid = {2, 2}}});
  const auto solution = factors.solve(b);
  EXPECT_LE(slow_backward_error(A, n, Transpose::none, b.data(), solution.x.data()), 90 * eps<T>);
  EXPECT_EQ(solution.report.dense->discipline, "onesided");
  EXPECT_GT(solution.report.dense->gets, 0);
}

TYPED_TEST(DenseOf, SuperstepsSolve) {
  using T = TypeParam;
  const Index n = 60;
  const auto A = random_vector<T>(n * n, 5), b = random_vector<T>(n, 6);
  for (const PivotSearch search : {PivotSearch::combined, PivotSearch::columns}) {
    const auto solution = solve<T>(
        square(A, n), b,
        {.ranks = 4,
         .dense = {.discipline = Discipline::superstep, .pivot_search = search, .block = 4, .grid = {2, 2}}});
    EXPECT_LE(slow_backward_error(A, n, Transpose::none, b.data(), solution.x.data()), 90 * eps<T>);
    EXPECT_EQ(solution.report.dense->discipline, "superstep");
    EXPECT_GT(solution.report.dense->supersteps, n);
    EXPECT_GT(solution.report.dense->direct_interchanges, 0);
  }
}

TYPED_TEST(DenseOf, DeterminantAndConditionOfAKnownMatrix) {
  using T = TypeParam;
  // A = P diag(2^60, 2, 4) with two rows exchanged: det = -2^63, ||A||_1 ||A^-1||_1 = 2^59
  const auto large = static_cast<Real<T>>(std::ldexp(1.0, 60));
  const std::vector<T> A{T(0), T(large), T(0), T(2), T(0), T(0), T(0), T(0), T(4)};
  for (const int ranks : {1, 2}) {
    auto factors = lu_factor<T>(square(A, 3), {.ranks = ranks});
    const Determinant<T> det = factors.determinant();
    EXPECT_EQ(det.mantissa, T(Real<T>(-0.5)));
    EXPECT_EQ(det.exponent, 64);
    EXPECT_DOUBLE_EQ(factors.reciprocal_condition(), std::ldexp(1.0, -59));
    EXPECT_DOUBLE_EQ(factors.report().condition_estimate, std::ldexp(1.0, 59));
  }
}

TYPED_TEST(DenseOf, SingularMatricesAreToldNotSolved) {
  using T = TypeParam;
  const auto refused = [](const std::vector<T>& A, Index n) {
    for (const int ranks : {1, 2})
      expect_error(Status::singular, [&] {
        lu_factor<T>(square(A, n),
                     {.singular = SingularMatrix::refuse, .ranks = ranks, .dense = {.block = 4}});
      });
  };
  refused(std::vector<T>(9, T(0)), 3);
  refused(std::vector<T>(16, T(1)), 4);
  refused({T(1), T(2), T(2), T(4)}, 2);
  for (const Index n : {3, 10, 40}) {  // the last column is the sum of the others: rounding hides it
    auto A = random_vector<T>(n * n, 7);
    for (Index i = 0; i < n; ++i) {
      A[i + (n - 1) * n] = T(0);
      for (Index j = 0; j + 1 < n; ++j) A[i + (n - 1) * n] += A[i + j * n];
    }
    refused(A, n);
  }
}

TYPED_TEST(DenseOf, WhatCannotBeToldFromSingularSolvesWhatItCan) {
  using T = TypeParam;
  const Index n = 12;
  auto A = random_vector<T>(n * n, 7);
  for (Index i = 0; i < n; ++i) {
    A[i + (n - 1) * n] = T(0);
    for (Index j = 0; j + 1 < n; ++j) A[i + (n - 1) * n] += A[i + j * n];
  }
  A[(n - 1) * n] +=
      T(16 * eps<T>);  // or rounding, which is the compiler's, may make the last pivot exactly zero
  const auto x = random_vector<T>(n, 8);
  std::vector<T> b(x.size());
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) b[i] += A[i + j * n] * x[j];
  for (const int ranks : {1, 2}) {
    auto factors = lu_factor<T>(square(A, n), {.ranks = ranks, .dense = {.block = 4}});
    const auto solution = factors.solve(b);
    EXPECT_EQ(solution.report.status, Status::ill_conditioned) << solution.report.message;
    EXPECT_NE(solution.report.message.find("column 11"), std::string::npos) << solution.report.message;
    EXPECT_GT(solution.report.condition_estimate, 0.01 / eps<T>);
    expect_error(Status::singular, [&] { factors.solve(x); });
  }
}

TYPED_TEST(DenseOf, BadScalingIsNotSingular) {
  using T = TypeParam;
  const Index n = 20;
  auto A = random_vector<T>(n * n, 8);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      A[i + j * n] *= static_cast<Real<T>>(std::ldexp(1.0, static_cast<int>(i % 3 * 12 - j % 2 * 20)));
  const auto b = random_vector<T>(n, 9);
  const Solution<T> solution = solve<T>(square(A, n), b);
  EXPECT_LE(slow_backward_error(A, n, Transpose::none, b.data(), solution.x.data()), 90 * eps<T>);
}

/// Symmetric or Hermitian, and positive definite: entries are below sqrt(2), so the diagonal 2 n dominates.
template <class T>
std::vector<T> definite_matrix(Index n, std::uint64_t seed) {
  auto A = random_vector<T>(n * n, seed);
  for (Index j = 0; j < n; ++j) {
    A[j + j * n] = T(static_cast<Real<T>>(2 * n));
    for (Index i = 0; i < j; ++i) A[i + j * n] = conjugate(A[j + i * n]);
  }
  return A;
}

TYPED_TEST(DenseOf, CholeskySolvesOnAnyGridAndReadsTheLowerTriangle) {
  using T = TypeParam;
  struct Where {
    int ranks;
    GridShape grid;
  };
  for (const Index n : {1, 7, 8, 9, 60})
    for (const Where& where : {Where{1, {}}, {2, {}}, {4, {2, 2}}, {4, {1, 3}}, {6, {3, 2}}}) {
      const auto A = definite_matrix<T>(n, 20), b = random_vector<T>(3 * n, 21);
      std::vector<T> lower = A;
      for (Index j = 0; j < n; ++j) std::fill_n(lower.begin() + j * n, j, T(std::nanf("")));
      auto factors = cholesky_factor<T>(square(lower, n),
                                        {.ranks = where.ranks, .dense = {.block = 8, .grid = where.grid}});
      for (const Transpose op : {Transpose::none, Transpose::trans, Transpose::conj_trans}) {
        const Solution<T> solution = factors.solve(b, 3, op);
        EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
        for (Index k = 0; k < 3; ++k)
          EXPECT_LE(slow_backward_error(A, n, op, b.data() + k * n, solution.x.data() + k * n), 90 * eps<T>);
        EXPECT_EQ(solution.report.factorization, "cholesky");
        EXPECT_EQ(solution.report.dense->panels_ahead > 0, n > 8);
      }
    }
}

TYPED_TEST(DenseOf, CholeskyDeterminantConditionAndReport) {
  using T = TypeParam;
  // diag(2^60, 2, 4) with the last two coupled by (2, 1; 1, 4): det = 2^60 7
  const auto large = static_cast<Real<T>>(std::ldexp(1.0, 60));
  const std::vector<T> A{T(large), T(0), T(0), T(0), T(2), T(1), T(0), T(1), T(4)};
  for (const int ranks : {2, 3}) {
    auto factors = cholesky_factor<T>(square(A, 3), {.ranks = ranks, .dense = {.block = 1, .grid = {1, 2}}});
    const Determinant<T> det = factors.determinant();
    EXPECT_NEAR(std::abs(det.mantissa - T(Real<T>(0.875))), 0, 8 * eps<T>);
    EXPECT_EQ(det.exponent, 63);
    // ||A||_1 = 2^60, ||A^-1||_1 = 5/7
    EXPECT_NEAR(factors.reciprocal_condition() * std::ldexp(5.0 / 7, 60), 1, 20 * eps<T>);
    EXPECT_EQ(factors.report().symmetry, ScalarTraits<T>::is_complex ? "hermitian" : "symmetric");
    EXPECT_EQ(factors.report().factor_nnz, 6);
  }
}

TYPED_TEST(DenseOf, CholeskyNamesTheMinorThatIsNotPositive) {
  using T = TypeParam;
  const Index n = 21;
  auto A = definite_matrix<T>(n, 22);
  A[13 + 13 * n] = T(-1);
  for (const int ranks : {1, 4})
    expect_error(
        Status::bad_input, [&] { cholesky_factor<T>(square(A, n), {.ranks = ranks, .dense = {.block = 4}}); },
        "minor of order 14 ");
}

TYPED_TEST(DenseOf, ProductOfOnePart) {
  using T = TypeParam;
  const Index m = 5, k = 7, n = 3;
  const auto A = random_vector<T>(m * k, 23), B = random_vector<T>(k * n, 24);
  const Layout of_A{.rows = m, .cols = k, .block = 2}, of_B{.rows = k, .cols = n, .block = 2};
  const Part<T> C = multiply_distributed<T>(of_A, {A.data(), m, k, m}, of_B, {B.data(), k, n, k});
  EXPECT_EQ(C.layout.rows, m);
  EXPECT_EQ(C.layout.cols, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      std::complex<double> sum = 0;
      for (Index l = 0; l < k; ++l)
        sum += std::complex<double>(A[i + l * m]) * std::complex<double>(B[l + j * k]);
      EXPECT_LE(std::abs(sum - std::complex<double>(C.values[i + j * m])), 2 * k * (k + 2) * eps<T>);
    }
}

TEST(Dense, ProductsRefuseWhatDoesNotFit) {
  const std::vector<double> A(12, 1.0);
  const auto refused = [&](Status kind, const Layout& of_A, const Layout& of_B, const std::string& saying) {
    expect_error(
        kind,
        [&] {
          multiply_distributed<double>(of_A, {A.data(), of_A.rows, of_A.cols, of_A.rows}, of_B,
                                       {A.data(), of_B.rows, of_B.cols, of_B.rows});
        },
        saying);
  };
  refused(Status::bad_input, {.rows = 3, .cols = 4}, {.rows = 3, .cols = 2}, "rows");
  refused(Status::bad_plan, {.rows = 3, .cols = 4, .block = 2}, {.rows = 4, .cols = 2}, "blocks");
  refused(Status::bad_plan, {.rows = 3, .cols = 4, .grid_rows = 2}, {.rows = 4, .cols = 2, .grid_rows = 2},
          "mpi");
}

TEST(Dense, CholeskyRefusesWhatItDoesNotTake) {
  const std::vector<double> A{4, 1, 1, 3};
  const auto refused = [&](const Options& options, const std::string& saying) {
    expect_error(
        Status::bad_plan, [&] { cholesky_factor<double>(square(A, 2), options); }, saying);
  };
  refused({.dense = {.schedule = Schedule::flat}}, "lookahead");
  refused({.dense = {.depth = 2}}, "depth");
  refused({.dense = {.discipline = {}}}, "onesided or superstep");
  refused({.dense = {.discipline = Discipline::superstep, .sync = SyncKind::known}}, "use full");
  refused({.precision = Precision::mixed}, "working");
  refused({.factorization = FactorKind::lu}, "lu_factor");
  refused({.dense = {.panel_width = 64}}, "panel_width");
  expect_error(
      Status::bad_plan, [&] { lu_factor<double>(square(A, 2), {.factorization = FactorKind::cholesky}); },
      "cholesky_factor");
  expect_error(
      Status::bad_input,
      [&] {
        cholesky_factor<double>({A.data(), 2, 1, 2});
      },
      "square");
  const std::vector<double> bad{4, std::nan(""), 1, 3};
  expect_error(
      Status::bad_input, [&] { cholesky_factor<double>(square(bad, 2)); }, "(1, 0)");
}

TEST(Dense, LeadingDimensionsAndMovesOfFactors) {
  const Index n = 9, ld = 14;
  auto big = random_vector<double>(ld * n, 10);
  std::vector<double> A;
  for (Index j = 0; j < n; ++j) A.insert(A.end(), big.begin() + j * ld, big.begin() + j * ld + n);
  auto first = lu_factor<double>({big.data(), n, n, ld}, {.ranks = 2});
  std::fill(big.begin(), big.end(), std::nan(""));  // A is not needed any more
  auto factors = std::move(first);
  for (std::uint64_t seed : {1, 2, 3}) {
    const auto b = random_vector<double>(n, seed);
    EXPECT_LE(slow_backward_error(A, n, Transpose::none, b.data(), factors.solve(b).x.data()),
              90 * eps<double>);
  }
  EXPECT_TRUE(factors.solve(std::span<const double>(), 0).x.empty());
}

/// The same matrix by columns and by rows, with gaps, and with gaps in both directions.
template <class T>
struct Laid {
  std::vector<T> columns, rows, sparse;
  std::vector<View<T>> views;

  Laid(const std::vector<T>& A, Index m, Index n)
      : columns((m + 3) * n, T(7)), rows((n + 2) * m, T(7)), sparse(2 * m * 3 * n, T(7)) {
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i)
        columns[i + j * (m + 3)] = rows[i * (n + 2) + j] = sparse[2 * i + j * 6 * m] = A[i + j * m];
    views = {{columns.data(), m, n, m + 3}, {rows.data(), m, n, 1, n + 2}, {sparse.data(), m, n, 6 * m, 2}};
  }
};

TYPED_TEST(DenseOf, MatricesByColumnsAndByRows) {
  using T = TypeParam;
  for (const Index n : {1, 2, 45})
    for (const int ranks : {1, 2, 5}) {
      const auto A = random_vector<T>(n * n, 1), b = random_vector<T>(2 * n, 2);
      const Options options{.ranks = ranks, .dense = {.block = 8}};
      const Laid<T> laid(A, n, n);
      for (const View<T>& view : laid.views) {
        const Solution<T> once = solve<T>(view, b, options);
        EXPECT_EQ(once.report.status, Status::ok);
        EXPECT_EQ(once.report.right_hand_sides, 2);
        auto factors = lu_factor<T>(view, options);
        for (Index k = 0; k < 2; ++k)
          EXPECT_LE(slow_backward_error(A, n, Transpose::none, b.data() + k * n, once.x.data() + k * n),
                    90 * eps<T>);
        const Solution<T> adjoint = factors.solve(b, 2, Transpose::conj_trans);
        EXPECT_LE(slow_backward_error(A, n, Transpose::conj_trans, b.data(), adjoint.x.data()), 90 * eps<T>);
        EXPECT_LE(once.report.predicted_bytes, factors.report().predicted_bytes);
      }
      const Index m = n + 6;
      const auto tall = random_vector<T>(m * n, 3), c = random_vector<T>(m, 4);
      const std::vector<T> expected = lstsq<T>({tall.data(), m, n, m}, c, options).x;
      const Laid<T> laid_tall(tall, m, n);
      for (const View<T>& view : laid_tall.views) EXPECT_EQ(lstsq<T>(view, c, options).x, expected);
    }
}

TEST(Dense, WhatCannotBeToldFromSingularIsSoByRowsToo) {
  // A x = b by a matrix whose last column is the sum of the others, but for rounding
  const Index n = 30;
  auto A = random_vector<double>(n * n, 8);
  for (Index i = 0; i < n; ++i) {
    A[i + (n - 1) * n] = 0;
    for (Index j = 0; j + 1 < n; ++j) A[i + (n - 1) * n] += A[i + j * n];
  }
  std::vector<double> b(n);
  for (Index i = 0; i < n; ++i) b[i] = A[i] - A[i + n];
  const Laid<double> laid(A, n, n);
  for (const View<double>& view : laid.views)
    for (const int ranks : {1, 3}) {
      const auto solution = solve<double>(view, b, {.ranks = ranks, .dense = {.block = 8}});
      EXPECT_EQ(solution.report.status, Status::ill_conditioned) << solution.report.message;
      EXPECT_GT(solution.report.condition_estimate, 1e14);
      expect_error(Status::singular, [&] {
        solve<double>(view, random_vector<double>(n, 9), {.ranks = ranks, .dense = {.block = 8}});
      });
    }
}

TEST(Dense, PartsAreByColumns) {
  const std::vector<double> A{1, 2, 3, 4};
  expect_error(
      Status::bad_input,
      [&] {
        lu_factor_distributed<double>({.rows = 2, .cols = 2}, {A.data(), 2, 2, 1, 2}, {.ranks = 1});
      },
      "row_stride");
}

TEST(Dense, MixedPrecisionRefinesAndFallsBack) {
  const Index n = 50;
  const auto b = random_vector<double>(n, 11);
  auto A = random_vector<double>(n * n, 12);
  for (Index i = 0; i < n; ++i) A[i + i * n] += 10;
  for (const int ranks : {1, 3}) {
    auto factors = lu_factor<double>(square(A, n),
                                     {.precision = Precision::mixed, .ranks = ranks, .dense = {.block = 8}});
    const auto solution = factors.solve(b);
    EXPECT_EQ(solution.report.dense->precision, "float32");
    EXPECT_GT(solution.report.iterations_max, 0);
    EXPECT_LE(slow_backward_error(A, n, Transpose::none, b.data(), solution.x.data()), 90 * eps<double>);
  }
  // a Hilbert matrix plus a little: far from singular in double, singular in float
  std::vector<double> H;
  const Index m = 8;
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i < m; ++i) H.push_back(1.0 / static_cast<double>(i + j + 1));
  const auto c = random_vector<double>(m, 13);
  auto factors = lu_factor<double>(square(H, m), {.precision = Precision::mixed, .ranks = 2});
  const auto solution = factors.solve(c);
  EXPECT_EQ(solution.report.dense->precision, "float64");
  EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
  EXPECT_LE(slow_backward_error(H, m, Transpose::none, c.data(), solution.x.data()), 90 * eps<double>);
  // entries beyond single precision
  std::vector<double> huge{1e300, 0, 0, 1e-300};
  for (const double x : solve<double>(square(huge, 2), {1e300, 1e-300}, {.precision = Precision::mixed}).x)
    EXPECT_NEAR(x, 1, 4 * eps<double>);
}

/// Of rank n - 1, up to rounding: G G^H of random columns.
std::vector<double> nearly_singular(Index n) {
  const auto G = random_vector<double>(n * (n - 1), 41);
  std::vector<double> A(static_cast<std::size_t>(n * n));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      for (Index k = 0; k + 1 < n; ++k) A[i + j * n] += G[i + k * n] * G[j + k * n];
  return A;
}

/// Factors that are refused leave those in single precision, so that the next call says the same.
TEST(Dense, MixedPrecisionTellsSingularMatrices) {
  const Index n = 60;
  const auto A = nearly_singular(n);
  const auto b = random_vector<double>(n, 42);
  std::vector<double> consistent(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) consistent[i] += A[i + j * n];
  for (const int ranks : {1, 3}) {
    Options options{.precision = Precision::mixed, .ranks = ranks, .dense = {.block = 8}};
    auto factors = lu_factor<double>(square(A, n), options);
    EXPECT_EQ(factors.solve(consistent).report.status, Status::ill_conditioned);
    for (int time = 0; time < 2; ++time)
      expect_error(
          Status::singular, [&] { factors.solve(b); }, "no solution");
    options.singular = SingularMatrix::refuse;
    expect_error(
        Status::singular, [&] { lu_factor<double>(square(A, n), options); }, "without effect on A x");
  }
  // sure in single precision; a determinant wants double, and is stopped on the way there
  auto C = random_vector<double>(n * n, 43);
  for (Index i = 0; i < n; ++i) C[i + i * n] += 5;
  bool stops = false;
  auto factors = lu_factor<double>(
      square(C, n),
      {.precision = Precision::mixed, .ranks = 2, .progress = [&](const Progress&) { return stops; }});
  stops = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // callbacks come at most fifty times a second
  expect_error(Status::cancelled, [&] { factors.determinant(); });
  stops = false;
  EXPECT_EQ(factors.solve(b).report.status, Status::ok);
  EXPECT_EQ(factors.report().dense->precision, "float32");
}

TEST(Dense, CholeskyTellsSingularMatrices) {
  const Index n = 60;
  std::vector<double> A(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i) A[i + i * n] = 4;
  const Index p = 10, q = 40;  // two equations that differ by rounding, where an estimate sees nothing
  A[p + q * n] = A[q + p * n] = 4;
  A[q + q * n] = 4 + 8 * eps<double>;
  const auto b = random_vector<double>(n, 42);
  std::vector<double> consistent(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) consistent[i] += A[i + j * n];
  for (const int ranks : {1, 4}) {
    Options options{.ranks = ranks, .dense = {.block = 8}};
    auto factors = cholesky_factor<double>(square(A, n), options);
    expect_error(
        Status::singular, [&] { factors.solve(b); }, "no solution");
    const auto solution = factors.solve(consistent);
    EXPECT_EQ(solution.report.status, Status::ill_conditioned) << solution.report.message;
    EXPECT_GT(solution.report.condition_estimate, 1e12);
    options.singular = SingularMatrix::refuse;
    expect_error(
        Status::singular, [&] { cholesky_factor<double>(square(A, n), options); }, "without effect on A x");
  }
  std::vector<double> scaled = random_vector<double>(n * n, 44);  // badly scaled is not singular
  std::vector<double> D(static_cast<std::size_t>(n * n));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      D[i + j * n] = ((i == j ? n : 0) + 0.5 * (scaled[i + j * n] + scaled[j + i * n])) *
                     std::ldexp(1.0, static_cast<int>(6 * ((i % 20) + (j % 20)) - 120));
  EXPECT_EQ(cholesky_factor<double>(square(D, n)).solve(b).report.status, Status::ok);
}

TEST(Dense, BothTrianglesHaveToAgreeInNumbers) {
  std::vector<double> A{4, 1, 1, 1, 4, 1, 1, 1, 4};
  A[6] = std::numeric_limits<double>::quiet_NaN();  // above the diagonal
  expect_error(Status::bad_input, [&] { cholesky_factor<double>(square(A, 3), {}, Stored::whole); });
}

TEST(Dense, RefusesBadInput) {
  const std::vector<double> A{4, 1, 2, 3};
  expect_error(
      Status::bad_input,
      [&] {
        lu_factor<double>({A.data(), 2, 1, 2});
      },
      "square");
  expect_error(Status::bad_input, [&] { lu_factor<double>({A.data(), 0, 0, 0}); });
  expect_error(
      Status::bad_input,
      [&] {
        lu_factor<double>({A.data(), 2, 2, 1});
      },
      "leading dimension");
  expect_error(
      Status::bad_input,
      [&] {
        lu_factor<double>({A.data(), 2, 2, 2, 2});
      },
      "row_stride");
  for (const double bad : {std::nan(""), double{INFINITY}}) {
    const std::vector<double> B{4, 1, bad, 3};
    expect_error(
        Status::bad_input, [&] { lu_factor<double>(square(B, 2)); }, "(0, 1)");
  }
  auto factors = lu_factor<double>(square(A, 2));
  expect_error(Status::bad_input, [&] { factors.solve(std::vector<double>(3)); });
  expect_error(Status::bad_input, [&] { factors.solve(std::vector<double>{1, INFINITY}); });
  EXPECT_EQ(factors.solve(std::vector<double>{6, 4}).report.status, Status::ok);  // usable after errors
}

TEST(Dense, RefusesBadPlans) {
  const std::vector<double> A{4, 1, 2, 3};
  const auto refused = [&](const Options& options, const std::string& saying) {
    expect_error(
        Status::bad_plan, [&] { lu_factor<double>(square(A, 2), options); }, saying);
  };
  refused({.method = Method::multifrontal}, "dense");
  refused({.sparse = {.null_pivots = true}}, "sparse matrices");
  refused({.refinement = {.error_analysis = true}}, "sparse factors");
  for (const GridShape grid : {GridShape{0, 2}, {2, 0}, {-1, -1}}) refused({.dense = {.grid = grid}}, "2x3");
  refused({.ranks = 4, .dense = {.grid = {3, 3}}}, "3 x 3");
  refused({.ranks = 4, .dense = {.schedule = Schedule::parity, .grid = {2, 2}}, .run = {.ranks_per_node = 4}},
          "node");
  const std::vector<float> B{4, 1, 2, 3};
  expect_error(
      Status::bad_plan, [&] { lu_factor<float>(square(B, 2), {.precision = Precision::mixed}); },
      "single precision");
  expect_error(
      Status::out_of_memory, [&] { lu_factor<double>(square(A, 2), {.run = {.memory_limit_bytes = 10}}); },
      "memory_limit");
}

TEST(Dense, StopsWhenTheCallerWants) {
  const Index n = 200;
  const auto A = random_vector<double>(n * n, 14), b = random_vector<double>(n, 15);
  std::vector<std::string> phases;
  Options options{.ranks = 2, .dense = {.block = 8}};
  options.progress = [&](const Progress& progress) {
    if (phases.empty() || phases.back() != progress.phase) phases.emplace_back(progress.phase);
    EXPECT_GE(progress.share, 0);
    EXPECT_LE(progress.share, 1);
    return false;
  };
  solve<double>(square(A, n), b, options);
  EXPECT_EQ(phases, (std::vector<std::string>{"factorisation", "solve"}));
  for (const char* phase : {"factorisation", "solve"}) {
    options.progress = [&](const Progress& progress) { return progress.phase == phase; };
    expect_error(Status::cancelled, [&] { solve<double>(square(A, n), b, options); });
  }
  options.progress = nullptr;
  options.run.time_limit_s = 1e-9;
  expect_error(
      Status::cancelled, [&] { solve<double>(square(A, n), b, options); }, "time_limit");
}

TEST(Dense, OnePartIsTheWhole) {
  const Index n = 10;
  const auto A = random_vector<double>(n * n, 16), b = random_vector<double>(2 * n, 17);
  const Layout layout{.rows = n, .cols = n, .block = 3};
  auto factors = lu_factor_distributed<double>(layout, square(A, n));
  const auto solution = factors.solve_distributed({.rows = n, .cols = 2, .block = 4}, {b.data(), n, 2, n});
  for (Index k = 0; k < 2; ++k)
    EXPECT_LE(slow_backward_error(A, n, Transpose::none, b.data() + k * n, solution.x.data() + k * n),
              90 * eps<double>);
  EXPECT_EQ(factors.report().dense->block, 3);
  expect_error(
      Status::bad_plan,
      [&] { lu_factor_distributed<double>({.rows = n, .cols = n, .grid_rows = 2}, square(A, n)); }, "mpi");
  expect_error(
      Status::bad_input,
      [&] {
        lu_factor_distributed<double>(layout, {A.data(), n, 3, n});
      },
      "distributes");
}

TYPED_TEST(DenseOf, LeastSquaresOnAnyGrid) {
  using T = TypeParam;
  struct Where {
    int ranks;
    GridShape grid;
  };
  const Index m = 61, n = 35, nrhs = 3;
  const auto A = random_vector<T>(m * n, 21), b = random_vector<T>(m * nrhs, 22);
  for (const Where& where : {Where{1, {}}, {2, {2, 1}}, {4, {2, 2}}, {4, {1, 3}}, {6, {3, 2}}}) {
    auto factors =
        qr_factor<T>({A.data(), m, n, m}, {.ranks = where.ranks, .dense = {.block = 8, .grid = where.grid}});
    const Solution<T> solution = factors.solve(b, nrhs);
    EXPECT_EQ(solution.report.factorization, "qr");
    EXPECT_EQ(solution.report.dense->rows, m);
    EXPECT_EQ(solution.report.n, n);
    EXPECT_GT(solution.report.dense->residual_norm, 1);  // of 61 random equations for 35 unknowns
    ASSERT_EQ(solution.x.size(), static_cast<std::size_t>(n * nrhs));
    for (Index k = 0; k < nrhs; ++k)
      for (Index j = 0; j < n; ++j) {
        std::complex<long double> gradient = 0;
        for (Index i = 0; i < m; ++i) {
          std::complex<long double> r = b[i + k * m];
          for (Index l = 0; l < n; ++l)
            r -= std::complex<long double>(A[i + l * m]) * std::complex<long double>(solution.x[l + k * n]);
          gradient += std::conj(std::complex<long double>(A[i + j * m])) * r;
        }
        // c m eps ||A|| (||A|| ||x|| + ||b||)
        EXPECT_LE(std::abs(gradient), 100 * m * n * eps<T>);
      }
    EXPECT_LE(solution.report.dense->optimality, m * eps<T>);
  }
}

/// A small column is no zero.
TYPED_TEST(DenseOf, LeastSquaresWithColumnsOfAnySize) {
  using T = TypeParam;
  const Index m = 40, n = 6;
  const double tiny = std::numeric_limits<Real<T>>::min() / eps<T>;
  const auto unscaled = random_vector<T>(m * n, 25), b = random_vector<T>(m, 26);
  const Solution<T> expected = lstsq<T>({unscaled.data(), m, n, m}, b);
  for (const int ranks : {1, 4})
    for (const double size : {tiny, std::sqrt(tiny), 1e-12, 1.0, 1 / std::sqrt(tiny)}) {
      std::vector<T> A = unscaled;
      const Real<T> by = static_cast<Real<T>>(std::ldexp(1.0, std::ilogb(size)));
      for (Index i = 0; i < m; ++i) A[i + 2 * m] *= by;
      const Solution<T> solution = lstsq<T>({A.data(), m, n, m}, b, {.ranks = ranks, .dense = {.block = 4}});
      EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
      for (Index j = 0; j < n; ++j) {
        const T scaled = j == 2 ? solution.x[j] * by : solution.x[j];
        EXPECT_LE(std::abs(scaled - expected.x[j]), 200 * eps<T>) << size << ", " << j;
      }
    }
}

TYPED_TEST(DenseOf, LeastSquaresWithRightHandSidesOfAnySize) {
  using T = TypeParam;
  const Index m = 20, n = 5;
  const auto A = random_vector<T>(m * n, 27), b = random_vector<T>(2 * m, 28);
  const Solution<T> expected = lstsq<T>({A.data(), m, n, m}, b);
  const double most = std::numeric_limits<Real<T>>::max(), least = std::numeric_limits<Real<T>>::min();
  for (const double size : {most / 1024, std::sqrt(most), std::sqrt(least), least * 1024}) {
    const Real<T> by = static_cast<Real<T>>(std::ldexp(1.0, std::ilogb(size)));
    std::vector<T> c = b;
    for (Index i = 0; i < m; ++i) c[i] *= by;  // the first of two
    const Solution<T> solution = lstsq<T>({A.data(), m, n, m}, c, {.ranks = 2});
    EXPECT_EQ(solution.report.status, Status::ok) << size << ": " << solution.report.message;
    for (Index j = 0; j < n; ++j)
      EXPECT_LE(std::abs(solution.x[j] / by - expected.x[j]), 200 * eps<T>) << size << ", " << j;
    EXPECT_TRUE(std::isfinite(solution.report.dense->residual_norm));
  }
  EXPECT_EQ(lstsq<T>({A.data(), m, n, m}, b, {.refinement = {.accuracy = 1e-30}}).report.status,
            Status::inaccurate);
}

TEST(Dense, QrRefusesWhatItHasNot) {
  const Index m = 8, n = 5;
  const auto A = random_vector<double>(m * n, 23), b = random_vector<double>(m, 24);
  expect_error(
      Status::bad_input,
      [&] {
        lstsq<double>({A.data(), n, m, n}, b);
      },
      "5 rows and 8 columns");
  for (const char* schedule : {"split", "parity", "hybrid"})
    expect_error(
        Status::bad_plan,
        [&] {
          lstsq<double>({A.data(), m, n, m}, b, {.dense = {.schedule = choice_named<Schedule>(schedule)}});
        },
        "flat and lookahead");
  expect_error(
      Status::bad_plan,
      [&] {
        lstsq<double>({A.data(), m, n, m}, b, {.precision = Precision::mixed});
      },
      "working");
  std::vector<double> dependent = A;
  std::copy_n(A.begin(), m, dependent.begin() + 3 * m);
  expect_error(
      Status::singular,
      [&] {
        lstsq<double>({dependent.data(), m, n, m}, b);
      },
      "dependent");
}

/// Parity needs the ranks of a node side by side: where rows of the grid do not have them so, columns may.
TEST(Dense, GridsAreFilledByColumnsWhereParityNeedsIt) {
  const std::vector<int> pairs = {0, 0, 1, 1, 2, 2};
  const auto order = [&](GridShape grid, Schedule schedule, std::optional<GridOrder> asked = {}) {
    const Options options{.dense = {.schedule = schedule, .grid = grid, .grid_order = asked}};
    const api::DensePlan plan = api::make_dense_plan(options, 100, pairs, eps<double>);
    EXPECT_EQ(plan.grid.rank_at(0, 1), plan.order == GridOrder::row_major ? 1 : grid.rows);
    return *plan.order;
  };
  EXPECT_EQ(order({2, 3}, Schedule::parity), GridOrder::column_major);
  EXPECT_EQ(order({3, 2}, Schedule::parity), GridOrder::row_major);
  EXPECT_EQ(order({2, 3}, Schedule::flat), GridOrder::row_major);
  EXPECT_EQ(order({2, 3}, Schedule::flat, GridOrder::column_major), GridOrder::column_major);
  EXPECT_EQ(order({2, 3}, Schedule::parity, GridOrder::row_major), GridOrder::row_major);
}

/// Between computers rows travel while the other half is updated, where there are blocks enough.
TEST(Dense, LuIsSplitOnSeveralNodesWhereThatPays) {
  const std::vector<int> two_nodes = {0, 0, 1, 1}, one_node = {0, 0, 0, 0};
  const auto schedule = [](std::span<const int> nodes, Index n, const DenseOptions& dense) {
    return api::make_lu_plan({.dense = dense}, n, nodes, eps<double>).lu.schedule;
  };
  EXPECT_EQ(schedule(two_nodes, 2100, {.block = 64}), Schedule::split);
  EXPECT_EQ(schedule(one_node, 2100, {.block = 64}), Schedule::look_ahead);
  EXPECT_EQ(schedule(two_nodes, 2000, {.block = 64}), Schedule::look_ahead);
  EXPECT_EQ(schedule(two_nodes, 2100, {.block = 64, .grid = {1, 4}}), Schedule::look_ahead);
  EXPECT_EQ(schedule(two_nodes, 2100, {.schedule = Schedule::flat, .block = 64}), Schedule::flat);
  EXPECT_EQ(schedule(two_nodes, 2100, {.depth = 2, .block = 64}), Schedule::look_ahead);
  EXPECT_EQ(schedule(two_nodes, 2100, {.discipline = Discipline::onesided, .block = 64}), Schedule::flat);
}

/// A grid of 1 x 2 on which a message takes so long, and a get a microsecond.
api::DensePlan chosen(double message_s, const DenseOptions& dense, bool may_stand_in_window = true) {
  const Options options{.dense = dense};
  dist::MoveTimes times{.flops_per_s = 1e10, .has_windows = true, .is_within_reach = true};
  times.in_row = {.message_s = message_s, .signal_s = 1e-6, .next_signal_s = 1e-7, .get_s = 1e-6};
  const std::vector<int> one_node = {0, 0};
  return api::choose_discipline(times, options, api::problem_of<double>(1000, may_stand_in_window),
                                api::make_dense_plan(options, 1000, one_node, eps<double>));
}

TEST(Dense, AutoTakesAnotherDisciplineThanMessagesWhereThatIsWorthIt) {
  const DenseOptions open{.discipline = {}};
  EXPECT_EQ(chosen(1e-6, open).lu.discipline, Discipline::messages);
  const api::DensePlan slow = chosen(1e-2, open);
  EXPECT_EQ(slow.lu.discipline, Discipline::onesided);
  EXPECT_EQ(slow.lu.schedule, Schedule::look_ahead);
  for (const char* said :
       {"onesided of disciplines", "messages", "superstep", "along process rows", "a get 1 us"})
    EXPECT_NE(slow.choice.find(said), std::string::npos) << slow.choice;
  // not by a copy of the matrix, unless that is asked for
  EXPECT_EQ(chosen(1e-2, open, false).lu.discipline, Discipline::messages);
  EXPECT_EQ(chosen(1e-2, {.discipline = {}, .memory = LentMemory::copy}, false).lu.discipline,
            Discipline::onesided);
  // what only messages have
  for (const DenseOptions& own : {DenseOptions{.schedule = Schedule::parity, .discipline = {}},
                                  DenseOptions{.discipline = {}, .broadcast = BroadcastKind::ring},
                                  DenseOptions{.discipline = {}, .interchange = SwapKind::mix}}) {
    const api::DensePlan plan = chosen(1e-2, own);
    EXPECT_EQ(plan.lu.discipline, Discipline::messages);
    EXPECT_NE(plan.choice.find("no other one"), std::string::npos) << plan.choice;
  }
}

TEST(Dense, DisciplinesThatCannotBeComparedAreRefused) {
  for (const DenseOptions& historical : {DenseOptions{.discipline = {}, .pivot_search = PivotSearch::columns},
                                         DenseOptions{.discipline = {}, .interchange = SwapKind::pairwise}})
    expect_error(
        Status::bad_plan, [&] { api::lu_plan({.dense = historical}); },
        "choose messages, onesided or superstep");
  expect_error(
      Status::bad_plan,
      [&] { api::require_dense_options({.dense = {.discipline = {}}}, FactorKind::cholesky); },
      "choose messages");
}

TEST(Dense, AutoSolvesAndTellsWhatItCompared) {
  const Index n = 90;
  const auto A = random_vector<double>(n * n, 8), b = random_vector<double>(n, 9);
  for (const int ranks : {1, 2, 4}) {
    const Options options{.ranks = ranks, .dense = {.discipline = {}, .block = 16}};
    const auto solution = solve<double>(square(A, n), b, options);
    EXPECT_LT(slow_backward_error(A, n, Transpose::none, b.data(), solution.x.data()), 90 * eps<double>);
    const Report& report = solution.report;
    EXPECT_TRUE(report.choice.starts_with(report.dense->discipline + " of disciplines: ")) << report.choice;
    EXPECT_EQ(report.choice.find("were predicted") != std::string::npos, ranks > 1) << report.choice;
    EXPECT_EQ(report.choice.find(" 0 us"), std::string::npos) << report.choice;  // measured
  }
}

TEST(Dense, PanelsOfParityTravelAsItSuitsPhases) {
  const auto broadcast = [](Schedule schedule, std::optional<BroadcastKind> asked = {}) {
    return api::lu_plan({.dense = {.schedule = schedule, .broadcast = asked}}).messages.broadcast;
  };
  EXPECT_EQ(broadcast(Schedule::parity), BroadcastKind::two_phase);
  EXPECT_EQ(broadcast(Schedule::look_ahead), BroadcastKind::modified_ring);
  EXPECT_EQ(broadcast(Schedule::parity, BroadcastKind::ring), BroadcastKind::ring);
}

/// Ranks 0 and 1 are mates and compute together from 2 to 3; rank 2 is alone on its node, and waiting is not computing.
TEST(Dense, ComputingWithAMateIsSeenByNode) {
  struct Stretch {
    double begin, end;
    trace::What what = trace::What::compute;
  };
  trace::Timeline timeline;
  const auto add = [&](int rank, std::initializer_list<Stretch> stretches) {
    trace::Recorder recorder(rank);
    for (const Stretch& s : stretches) recorder.add({.begin_s = s.begin, .end_s = s.end, .what = s.what});
    timeline.add(recorder);
  };
  const std::vector<int> nodes = {0, 0, 1};
  EXPECT_TRUE(std::isnan(api::computing_with_mate(timeline, nodes)));
  add(0, {{0, 1}, {1, 3}});
  add(1, {{0, 2, trace::What::wait}, {2, 4}});
  add(2, {{0, 5}});
  EXPECT_NEAR(api::computing_with_mate(timeline, nodes), 2.0 / 10, 1e-15);
  EXPECT_NEAR(api::computing_with_mate(timeline, std::vector<int>{0, 1, 2}), 0, 1e-15);
}

TEST(Dense, TrianglesOfOnePart) {
  const Index n = 11, nrhs = 2;
  const auto A = random_vector<double>(n * n, 25), b = random_vector<double>(n * nrhs, 26);
  const Layout of_A{.rows = n, .cols = n, .block = 4}, of_B{.rows = n, .cols = nrhs, .block = 4};
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const Diagonal diagonal : {Diagonal::general, Diagonal::unit})
      for (const Transpose op : {Transpose::none, Transpose::trans}) {
        std::vector<double> triangle(A.size(), 0);
        for (Index j = 0; j < n; ++j)
          for (Index i = 0; i < n; ++i) {
            if (uplo == Uplo::lower ? i > j : i < j) triangle[i + j * n] = A[i + j * n] / n;
            if (i == j) triangle[i + j * n] = diagonal == Diagonal::unit ? 1 : 1 + A[i + j * n] / 2;
          }
        std::vector<double> given = triangle;
        for (Index j = 0; j < n; ++j)  // what must not be read
          for (Index i = 0; i < n; ++i)
            if ((uplo == Uplo::lower ? i < j : i > j) || (i == j && diagonal == Diagonal::unit))
              given[i + j * n] = std::numeric_limits<double>::quiet_NaN();
        const auto X = solve_triangle_distributed<double>({uplo, diagonal}, of_A, square(given, n), of_B,
                                                          {b.data(), n, nrhs, n}, op);
        for (Index k = 0; k < nrhs; ++k)
          EXPECT_LE(slow_backward_error(triangle, n, op, b.data() + k * n, X.values.data() + k * n),
                    n * eps<double>);
      }
}

TEST(Dense, TrianglesRefuseWhatDoesNotFit) {
  const std::vector<double> A{2, 1, 0, 0}, b{1, 1};
  const auto refused = [&](Status kind, const Layout& of_A, const Layout& of_B, const std::string& saying) {
    expect_error(
        kind,
        [&] {
          solve_triangle_distributed<double>({}, of_A, {A.data(), of_A.rows, of_A.cols, of_A.rows}, of_B,
                                             {b.data(), of_B.rows, of_B.cols, of_B.rows});
        },
        saying);
  };
  refused(Status::bad_input, {.rows = 2, .cols = 1}, {.rows = 2, .cols = 1}, "square A");
  refused(Status::bad_input, {.rows = 2, .cols = 2}, {.rows = 1, .cols = 1}, "as many rows");
  refused(Status::bad_plan, {.rows = 2, .cols = 2}, {.rows = 2, .cols = 1, .block = 2},
          "not distributed alike");
  refused(Status::bad_plan, {.rows = 2, .cols = 2, .grid_rows = 2}, {.rows = 2, .cols = 1, .grid_rows = 2},
          "mpi");
  refused(Status::singular, {.rows = 2, .cols = 2}, {.rows = 2, .cols = 1}, "entry 1");
}

/// The shapes are those of ScaLAPACK's numroc; every entry has one owner.
/// Blocks larger than the matrix are one block, however large.
TEST(Dense, LayoutsOfHugeBlocks) {
  const Index n = 30;
  auto A = random_vector<double>(n * n, 31);
  for (Index i = 0; i < n; ++i) A[i + i * n] += 10;
  const auto b = random_vector<double>(n, 32);
  for (const Index block : {Index{1} << 31, std::numeric_limits<Index>::max()}) {
    const Layout layout{.rows = n, .cols = n, .block = block}, of_b{.rows = n, .cols = 1, .block = block};
    auto factors = lu_factor_distributed<double>(layout, square(A, n));
    const auto solution = factors.solve_distributed(of_b, {b.data(), n, 1, n});
    EXPECT_EQ(solution.report.status, Status::ok);
    EXPECT_LE(slow_backward_error(A, n, Transpose::none, b.data(), solution.x.data()), 90 * eps<double>);
    auto qr = qr_factor_distributed<double>(layout, square(A, n));
    EXPECT_EQ(qr.solve_distributed(of_b, {b.data(), n, 1, n}).report.status, Status::ok);
  }
  auto factors = lu_factor<double>(square(A, n), {.ranks = 4, .dense = {.block = 4}});
  const Layout distributed{.rows = n, .cols = 2, .block = 4, .grid_rows = 2, .grid_cols = 2};
  expect_error(
      Status::bad_plan,
      [&] {
        factors.solve_distributed(distributed, {b.data(), n / 2, 1, n / 2});
      },
      "mpirun");
}

/// The room for what moves brings is that of the matrix.
TEST(Dense, OnesidedAndSuperstepsWithBlocksBeyondTheMatrix) {
  const Index n = 50;
  auto A = random_vector<double>(n * n, 33);
  const auto b = random_vector<double>(n, 34);
  for (const Discipline discipline : {Discipline::onesided, Discipline::superstep}) {
    const auto solution =
        solve<double>(square(A, n), b, {.ranks = 2, .dense = {.discipline = discipline, .block = 65536}});
    EXPECT_EQ(solution.report.status, Status::ok);
  }
}

TEST(Dense, LayoutsDealEveryEntryOnce) {
  for (const bool is_row_major : {true, false})
    for (const Index size : {0, 1, 7, 24}) {
      const Layout layout{.rows = size,
                          .cols = size + 3,
                          .block = 4,
                          .grid_rows = 2,
                          .grid_cols = 3,
                          .is_row_major = is_row_major,
                          .first_row = 1,
                          .first_col = 2};
      Index entries = 0;
      for (int rank = 0; rank < 8; ++rank) entries += local_rows(layout, rank) * local_cols(layout, rank);
      EXPECT_EQ(entries, size * (size + 3));
    }
  const Layout layout{.rows = 9, .cols = 9, .block = 4, .grid_rows = 2, .grid_cols = 1};
  EXPECT_EQ(local_rows(layout, 0), 5);  // blocks 0 and 2
  EXPECT_EQ(local_rows(layout, 1), 4);
  expect_error(Status::bad_plan, [] { local_rows({.rows = 3, .cols = 3, .block = 0}, 0); });
}

TEST(Dense, SparseSolversSayWhereDenseMatricesGo) {
  SparseMatrix<double> A{.rows = 1, .cols = 1, .start = {0, 1}, .row = {0}, .value = {2}};
  expect_error(
      Status::bad_plan, [&] { factorize(A, {.method = Method::dense}); }, "dense::solve");
}

}  // namespace
}  // namespace overlapack::dense
