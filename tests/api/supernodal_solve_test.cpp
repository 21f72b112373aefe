#include "overlapack/generate.hpp"
#include "overlapack/overlapack.hpp"
#include "random_values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <limits>
#include <string>
#include <unistd.h>
#include <vector>

/// Method supernodal as its callers see it.
namespace overlapack {
namespace {

using sparse::generate;

Options by_nodes(int ranks) { return {.method = Method::supernodal, .ranks = ranks}; }

TEST(SupernodalSolve, SolvesEveryKindOfMatrixOrSaysThatItDoesNot) {
  for (const auto& [kind, size] : {std::pair{"cube", 7},
                                   {"convection", 8},
                                   {"process", 60},
                                   {"random", 200},
                                   {"dense", 70},
                                   {"saddle", 4},
                                   {"bordered", 20}})
    for (const int ranks : {1, 3, 4})
      for (const Schedule schedule : {Schedule::flat, Schedule::pipelined, Schedule::look_ahead}) {
        SCOPED_TRACE(std::string(kind) + " on " + std::to_string(ranks) + " ranks, " +
                     std::string(to_string(schedule)));
        Options options = by_nodes(ranks);
        options.dense.schedule = schedule;
        auto factors = factorize(generate(kind, size), options);
        const auto b = random_vector<double>(factors.report().n * 2, 3);
        for (const auto op : {Transpose::none, Transpose::trans}) {
          const auto solution = factors.solve(b, 2, op);
          EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
          EXPECT_EQ(solution.report.method, "supernodal");
          EXPECT_GT(solution.report.nodes, 0);
        }
      }
}

TEST(SupernodalSolve, NeverGivesAWrongAnswerSilently) {
  // 1e-13 of the largest entry replaces zero: refinement cannot mend what is not there
  const auto singular = [] {
    SparseMatrix<double> A{3, 3, {0, 2, 4, 5}, {0, 1, 0, 1, 2}, {1, 1, 1, 1, 1}, Symmetry::general};
    return A;
  }();
  Options options = by_nodes(1);
  options.sparse.matching = Switch::off;
  const std::vector<double> b{1, 2, 3};
  const auto solution = solve(singular, std::span<const double>(b), options);
  EXPECT_EQ(solution.report.status, Status::inaccurate);
  EXPECT_GT(solution.report.pivots.perturbed, 0);
  EXPECT_EQ(solution.report.numerical_rank, -1);
  EXPECT_NE(solution.report.message.find("multifrontal"), std::string::npos) << solution.report.message;
}

/// Rows of very different size: what is small beside the largest entry is no zero once the matching has scaled it.
TEST(SupernodalSolve, ScalesRowsOfVeryDifferentSize) {
  auto A = generate("convection", 7);
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      A.value[k] *= std::pow(10.0, -20.0 * static_cast<double>(A.row[k]) / static_cast<double>(A.rows));
  const auto b = random_vector<double>(A.rows, 3);
  Options options = by_nodes(2);
  const auto scaled = solve(A, std::span<const double>(b), options);
  EXPECT_EQ(scaled.report.status, Status::ok) << scaled.report.message;
  EXPECT_EQ(scaled.report.pivots.perturbed, 0);
  options.sparse.matching = Switch::off;
  EXPECT_EQ(solve(A, std::span<const double>(b), options).report.analysed_again, 1);  // with Ruiz's scaling
  options.sparse.scaling = ScalingKind::off;
  EXPECT_GT(solve(A, std::span<const double>(b), options).report.pivots.perturbed, 0);
}

template <class F>
void expect_refusal(Status kind, const std::string& sentence, F&& f) {
  try {
    f();
    ADD_FAILURE() << "no error that says " << sentence;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
  }
}

TEST(SupernodalSolve, RefusesWhatIsForOtherMethods) {
  const auto A = generate("cube", 4);
  const auto refused = [&](Options options, const std::string& sentence) {
    options.method = Method::supernodal;
    expect_refusal(Status::bad_plan, sentence, [&] { factorize(A, options); });
  };
  refused({.factorization = FactorKind::cholesky}, "cholesky");
  refused({.factorization = FactorKind::ldlt}, "ldlt");
  refused({.sparse = {.null_pivots = true}}, "null_pivots");
  refused({.ranks = 2, .dense = {.grid = {2, 2}}}, "2");
  refused({.dense = {.schedule = Schedule::hybrid}}, "hybrid");
  refused({.dense = {.depth = 0}}, "depth");
  auto factors = factorize(A, by_nodes(2));
  expect_refusal(Status::bad_plan, "LU", [&] { factors.inertia(); });
  expect_refusal(Status::bad_plan, "multifrontal", [&] { factors.null_space(); });
}

/// All answers of sparse factors but those that it refuses, beside those by fronts.
TEST(SupernodalSolve, AnswersAsFrontsDo) {
  const auto A = generate("convection", 7);
  const auto b = random_vector<double>(A.rows, 3);
  const std::vector<Index> rows{0, 5, A.rows - 1}, cols{3, 5, 0};
  for (const int ranks : {1, 4})
    for (const Precision precision : {Precision::working, Precision::mixed}) {
      Options options{.method = Method::multifrontal, .precision = precision, .ranks = ranks};
      options.refinement.error_analysis = true;
      auto fronts = factorize(A, options);
      options.method = Method::supernodal;
      auto nodes = factorize(A, options);
      const auto one = fronts.solve(b), other = nodes.solve(b);
      EXPECT_EQ(other.report.status, Status::ok) << other.report.message;
      EXPECT_EQ(other.report.precision, one.report.precision);
      EXPECT_GT(other.report.forward_error_bound, 0);
      for (Index i = 0; i < A.rows; ++i) EXPECT_NEAR(other.x[i], one.x[i], 1e-9);
      const double tolerance = precision == Precision::mixed ? 1e-3 : 1e-9;
      EXPECT_NEAR(nodes.reciprocal_condition() / fronts.reciprocal_condition(), 1, tolerance);
      const auto inverse = nodes.inverse_entries(rows, cols), expected = fronts.inverse_entries(rows, cols);
      for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_NEAR(inverse[k], expected[k], tolerance);
      const auto det = nodes.determinant(), expected_det = fronts.determinant();
      EXPECT_NEAR(std::ldexp(det.mantissa / expected_det.mantissa,
                             static_cast<int>(det.exponent - expected_det.exponent)),
                  1, 100 * tolerance);
    }
}

TEST(SupernodalSolve, TakesAndGivesRowsOfEachRank) {
  const auto A = generate("process", 30);
  const int ranks = 3;
  std::vector<Triplets<double>> parts(ranks, Triplets<double>{A.rows, A.cols, {}, {}, {}});
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      parts[static_cast<std::size_t>(k % ranks)].add(A.row[k], j, A.value[k]);
  auto factors = factorize_distributed(parts, by_nodes(ranks));
  const auto b = random_vector<double>(A.rows, 3);
  const auto whole = solve(A, std::span<const double>(b), by_nodes(ranks));
  std::vector<RowPart<double>> distributed(ranks);
  for (Index i = 0; i < A.rows; ++i) {
    distributed[static_cast<std::size_t>(i % ranks)].rows.push_back(i);
    distributed[static_cast<std::size_t>(i % ranks)].values.push_back(b[i]);
  }
  const auto found = factors.solve_distributed(distributed);
  EXPECT_EQ(found.report.status, Status::ok) << found.report.message;
  EXPECT_EQ(found.report.method, "supernodal");
  for (const auto& part : found.x)
    for (std::size_t k = 0; k < part.rows.size(); ++k)
      EXPECT_NEAR(part.values[k], whole.x[part.rows[k]], 1e-8 * (1 + std::abs(whole.x[part.rows[k]])));
}

/// The order of the first values serves others badly: a pivot is replaced, and what refinement does not mend is told.
TEST(SupernodalSolve, RefactorizeWithQuiteOtherValuesIsNeverWrongSilently) {
  const std::vector<double> b{1, 2};
  for (const Switch matching : {Switch::on, Switch::off})
    for (const double small : {1e-16, 1e-13, 1e-8, 0.0, -1e-300})
      for (const int ranks : {1, 2}) {
        SparseMatrix<double> A{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 2, 3, 1}, Symmetry::general};
        Options options = by_nodes(ranks);
        options.sparse.matching = matching;
        options.nodes = {.max_width = 1, .relax = 0};  // no exchange can help
        auto factors = factorize(A, options);
        A.value[0] = small;
        A.value[3] = small;
        factors.refactorize(A);
        const auto solution = factors.solve(b);
        const bool is_right = std::abs(solution.x[0] - 1) < 1e-8 && std::abs(solution.x[1] - 1. / 3) < 1e-8;
        EXPECT_TRUE(is_right || solution.report.status == Status::inaccurate)
            << small << ", " << solution.x[0] << ", " << solution.x[1];
      }
}

TEST(SupernodalSolve, OverflowNamesTheNode) {
  SparseMatrix<float> A{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1e-30f, 1e30f, 1e30f, 1}, Symmetry::general};
  Options options = by_nodes(1);
  options.sparse.matching = Switch::off;
  options.sparse.scaling = ScalingKind::off;
  options.sparse.pivot_threshold = 0;
  options.sparse.perturbation = 0;
  options.nodes = {.max_width = 1, .relax = 0};
  A.value[0] = 1e38f;
  A.value[1] = A.value[2] = 3e38f;
  A.value[3] = -3e38f;
  expect_refusal(Status::bad_input, "node", [&] { factorize(A, options); });
}

TEST(SupernodalSolve, RefusesBadInput) {
  auto A = generate("process", 10);
  A.value[7] = std::numeric_limits<double>::quiet_NaN();
  expect_refusal(Status::bad_input, "", [&] { factorize(A, by_nodes(2)); });
  const SparseMatrix<double> deficient{2, 2, {0, 1, 2}, {0, 0}, {1, 1}, Symmetry::general};
  expect_refusal(Status::singular, "", [&] { factorize(deficient, by_nodes(2)); });
}

TEST(SupernodalSolve, TakesRanksFromTheGridAndOrdersFromTheOptions) {
  Options options = by_nodes(0);
  options.dense.grid = {2, 3};
  options.nodes = {.order = NodeOrder::levels, .max_width = 8, .relax = 0};
  auto factors = factorize(generate("convection", 9), options);
  EXPECT_EQ(factors.report().ranks, 6);
  EXPECT_GT(factors.report().columns_ahead, 0);
  EXPECT_GT(factors.report().rows_ahead, 0);
  const auto b = random_vector<double>(factors.report().n, 3);
  EXPECT_EQ(factors.solve(b).report.status, Status::ok);
}

TEST(SupernodalSolve, RefactorizesAndRefines) {
  auto A = generate("process", 80);
  auto factors = factorize(A, by_nodes(4));
  for (double& value : A.value) value *= 1.25;
  const auto b = random_vector<double>(A.rows, 5);
  for (int round = 0; round < 3; ++round) {
    factors.refactorize(A);
    EXPECT_EQ(factors.solve(b).report.status, Status::ok);
  }
}

}  // namespace
}  // namespace overlapack
