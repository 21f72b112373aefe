#include "../random_values.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/overlapack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
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
  EXPECT_GT(solve(A, std::span<const double>(b), options).report.pivots.perturbed, 0);
}

template <class F>
void expect_refusal(ErrorKind kind, const std::string& sentence, F&& f) {
  try {
    f();
    ADD_FAILURE() << "no error that says " << sentence;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_NE(std::string(error.what()).find(sentence), std::string::npos) << error.what();
  }
}

TEST(SupernodalSolve, RefusesWhatIsForOtherMethods) {
  const auto A = generate("cube", 4);
  const auto refused = [&](Options options, const std::string& sentence) {
    options.method = Method::supernodal;
    expect_refusal(ErrorKind::bad_plan, sentence, [&] { factorize(A, options); });
  };
  refused({.factorization = FactorKind::cholesky}, "cholesky");
  refused({.factorization = FactorKind::ldlt}, "ldlt");
  refused({.sparse = {.null_pivots = true}}, "null_pivots");
  refused({.ranks = 2, .dense = {.grid = {2, 2}}}, "2");
  refused({.dense = {.schedule = Schedule::hybrid}}, "hybrid");
  refused({.dense = {.depth = 0}}, "depth");
  auto factors = factorize(A, by_nodes(2));
  expect_refusal(ErrorKind::bad_plan, "LU", [&] { factors.inertia(); });
  expect_refusal(ErrorKind::bad_plan, "not built yet", [&] { factors.save("supernodal.factors"); });
  expect_refusal(ErrorKind::bad_plan, "multifrontal", [&] { factors.null_space(); });
}

TEST(SupernodalSolve, RefusesBadInput) {
  auto A = generate("process", 10);
  A.value[7] = std::numeric_limits<double>::quiet_NaN();
  expect_refusal(ErrorKind::bad_input, "", [&] { factorize(A, by_nodes(2)); });
  const SparseMatrix<double> deficient{2, 2, {0, 1, 2}, {0, 0}, {1, 1}, Symmetry::general};
  expect_refusal(ErrorKind::singular, "", [&] { factorize(deficient, by_nodes(2)); });
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
