#include "overlapack/generate.hpp"
#include "overlapack/overlapack.hpp"
#include "random_values.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

/// Method auto between fronts and nodes: what it compares, what it chooses, and what it does when the choice was not good.
namespace overlapack {
namespace {

using sparse::generate;

/// A plant, whose matched pattern is far from symmetric.
constexpr int units = 150;

/// METIS: no columns for what has little fill. Matched: else nodes are not looked at.
Options automatic() { return {.ranks = 1, .sparse = {.ordering = Ordering::metis, .matching = Switch::on}}; }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Report report_of(const SparseMatrix<double>& A, const Options& options) {
  const auto b = random_vector<double>(A.rows, 3);
  return solve(A, std::span<const double>(b), options).report;
}

TEST(MethodChoice, TakesNodesWhereTheyArePredictedToBeMuchFaster) {
  const Report report = report_of(generate("process", units), automatic());
  EXPECT_EQ(report.status, Status::ok) << report.message;
  EXPECT_EQ(report.method, "supernodal") << report.choice;
  EXPECT_TRUE(has(report.choice, "supernodal: ")) << report.choice;
  EXPECT_TRUE(has(report.choice, "s by nodes")) << report.choice;
  EXPECT_GT(report.nodes, 0);
  EXPECT_EQ(report.falls_back, 0);
  EXPECT_EQ(report.numerical_rank, report.n);
}

TEST(MethodChoice, TakesFrontsWherePatternsAreNearlySymmetric) {
  Options options = automatic();
  options.sparse.matching = Switch::on;
  const Report report = report_of(generate("convection", 8), options);
  EXPECT_EQ(report.method, "multifrontal");
  EXPECT_TRUE(has(report.choice, "mirror image")) << report.choice;
}

TEST(MethodChoice, ComparesNothingWhereNodesHaveNoAnswer) {
  const auto A = generate("process", units);
  const auto compared = [&](const Options& options) {
    return has(report_of(A, options).choice, " by fronts");
  };
  EXPECT_TRUE(compared(automatic()));
  Options options = automatic();
  options.sparse.null_pivots = true;
  EXPECT_FALSE(compared(options));
  options = automatic();
  options.sparse.matching = Switch::off;  // small pivots are judged by the largest entry of B
  EXPECT_FALSE(compared(options));
  options = automatic();
  options.sparse.perturbation = 1e-10;
  EXPECT_FALSE(compared(options));
  options = automatic();
  options.ranks = 2;
  EXPECT_FALSE(compared(options));
  options = automatic();
  options.method = Method::multifrontal;
  EXPECT_FALSE(compared(options));
  const std::string choice = report_of(generate("saddle", 4), automatic()).choice;  // LDL^T
  EXPECT_TRUE(choice.starts_with("multifrontal: ") && has(choice, "in the order of metis, ")) << choice;
}

TEST(MethodChoice, TellsWhatOrdersWereCompared) {
  const auto choice_of = [](const Options& options) {
    return report_of(generate("cube", 16), options).choice;
  };
  std::string choice = choice_of({.sparse = {.ordering_effort = OrderingEffort::high}});
  EXPECT_TRUE(has(choice, "in the order of dissection, ")) << choice;
  EXPECT_TRUE(has(choice, " s in that of amd")) << choice;
  choice = choice_of({.sparse = {.ordering = Ordering::metis}});
  EXPECT_TRUE(has(choice, "in the order of metis, as asked")) << choice;
  choice = report_of(generate("process", units), {.method = Method::block_triangular}).choice;
  EXPECT_TRUE(choice.starts_with("block_triangular: ") && has(choice, " diagonal blocks, the largest of "))
      << choice;
}

TEST(MethodChoice, ComplexNumbersTakeLongerAndAreWorthADissectionEarlier) {
  const Options ldlt{.factorization = FactorKind::ldlt, .ranks = 1};
  Options by_amd = ldlt;
  by_amd.sparse.ordering = Ordering::amd;
  int only_complex = 0;
  for (int points = 10; points <= 20; ++points) {  // where it begins depends on the rates of the BLAS's level
    const auto A = generate("cube", points);
    const SparseMatrix<std::complex<double>> C{.rows = A.rows,
                                               .cols = A.cols,
                                               .start = A.start,
                                               .row = A.row,
                                               .value = {A.value.begin(), A.value.end()}};
    const std::string of_real = plan(A, ldlt).ordering, of_complex = plan(C, ldlt).ordering;
    EXPECT_FALSE(of_real == "dissection" && of_complex == "amd") << points;
    only_complex += of_real == "amd" && of_complex == "dissection";
    const double real_s = plan(A, by_amd).predicted_factor_s, complex_s = plan(C, by_amd).predicted_factor_s;
    EXPECT_GT(complex_s, 1.5 * real_s) << points;
    EXPECT_LT(complex_s, 4 * real_s) << points;
  }
  EXPECT_GT(only_complex, 0);
}

/// Entries of one size cancel: nodes meet zero where fronts delay the pivot.
SparseMatrix<double> of_ones() {
  auto A = generate("process", units);
  const auto signs = random_vector<double>(A.nnz(), 7);
  for (Index k = 0; k < A.nnz(); ++k) A.value[k] = signs[k] < 0 ? -1 : 1;
  return A;
}

TEST(MethodChoice, FallsBackOnFrontsWhereAPivotIsTooSmall) {
  const auto A = of_ones();
  Options options = automatic();
  options.method = Method::supernodal;
  EXPECT_GT(report_of(A, options).pivots.perturbed, 0);
  EXPECT_EQ(report_of(A, options).numerical_rank, -1);
  const Report report = report_of(A, automatic());
  EXPECT_EQ(report.status, Status::ok) << report.message;
  EXPECT_EQ(report.method, "multifrontal");
  EXPECT_EQ(report.falls_back, 1);
  EXPECT_EQ(report.pivots.perturbed, 0);
  EXPECT_TRUE(has(report.choice, "supernodal: ") && has(report.choice, "; but a pivot was "))
      << report.choice;
}

TEST(MethodChoice, FallsBackOnFrontsWhereASolutionStaysInaccurate) {
  const auto A = generate("process", units);
  Options options = automatic();
  options.refinement.accuracy = 1e-300;  // which nothing reaches
  const Report report = report_of(A, options);
  EXPECT_EQ(report.status, Status::inaccurate);
  EXPECT_EQ(report.method, "multifrontal");
  EXPECT_EQ(report.falls_back, 1);
  EXPECT_TRUE(has(report.choice, "; but a solution was not accurate")) << report.choice;
}

/// Other values of one pattern: what is chosen stays as long as it does.
TEST(MethodChoice, RefactorizesByNodesUntilAPivotIsTooSmall) {
  const auto A = generate("process", units);
  const auto b = random_vector<double>(A.rows, 3);
  auto factors = factorize(A, automatic());
  factors.refactorize(A);
  EXPECT_EQ(factors.solve(b).report.status, Status::ok);
  EXPECT_EQ(factors.report().method, "supernodal");
  EXPECT_TRUE(factors.null_space().empty());
  factors.refactorize(of_ones());
  EXPECT_EQ(factors.solve(b).report.status, Status::ok) << factors.report().message;
  EXPECT_EQ(factors.report().method, "multifrontal");
  EXPECT_EQ(factors.report().falls_back, 1);
  factors.refactorize(A);
  EXPECT_EQ(factors.solve(b).report.status, Status::ok);
  EXPECT_EQ(factors.report().falls_back, 1);
}

/// Arrows: the centre of each is eliminated last, and joins its leaves if these have no pivots before.
SparseMatrix<double> arrows(double leaf) {
  constexpr Index all = 60, leaves = 80, n = all * (leaves + 1);
  SparseMatrix<double> A{
      .rows = n, .cols = n, .start = {0}, .row = {}, .value = {}, .symmetry = Symmetry::symmetric};
  const auto add = [&A](Index row, double value) {
    A.row.push_back(row);
    A.value.push_back(value);
  };
  for (Index j = 0; j < n; ++j) {
    const Index first = j - j % (leaves + 1), centre = first + leaves;
    if (j < centre) add(j, leaf);
    for (Index i = j < centre ? centre : first; i <= centre; ++i) add(i, 1);
    A.start.push_back(A.nnz());
  }
  return A;
}

Options by_columns() {
  return {.factorization = FactorKind::ldlt,
          .ranks = 2,
          .sparse = {.ordering = Ordering::natural, .matching = Switch::off}};
}

void expect_fronts_instead_of_columns(Factorization<double>& factors, const SparseMatrix<double>& A) {
  const auto b = random_vector<double>(A.rows, 3);
  const Report report = factors.solve(b).report;
  EXPECT_EQ(report.status, Status::ok) << report.message;
  EXPECT_EQ(report.method, "multifrontal");
  EXPECT_EQ(report.falls_back, 1);
  EXPECT_TRUE(has(report.choice, "; but delayed pivots filled in too much")) << report.choice;
  EXPECT_EQ(factors.inertia().negative, A.rows / 81);
}

TEST(MethodChoice, FallsBackOnFrontsWhereColumnsFillInTooMuch) {
  const auto good = arrows(-100), bad = arrows(1e-4);
  auto factors = factorize(bad, by_columns());
  expect_fronts_instead_of_columns(factors, bad);

  auto again = factorize(good, by_columns());
  EXPECT_EQ(again.report().method, "block_triangular") << again.report().choice;
  EXPECT_EQ(again.report().falls_back, 0);
  again.refactorize(bad);
  expect_fronts_instead_of_columns(again, bad);
  again.refactorize(bad);
  expect_fronts_instead_of_columns(again, bad);

  Options asked = by_columns();
  asked.method = Method::block_triangular;
  auto columns = factorize(bad, asked);
  EXPECT_EQ(columns.report().falls_back, 0);
  EXPECT_GT(columns.report().pivots.delayed, bad.rows / 2);
  EXPECT_EQ(columns.inertia().negative, bad.rows / 81);
}

/// Factors of both precisions are by fronts then.
TEST(MethodChoice, FallsBackOnFrontsInMixedPrecision) {
  const auto bad = arrows(1e-4);
  Options options = by_columns();
  options.precision = Precision::mixed;
  auto factors = factorize(bad, options);
  expect_fronts_instead_of_columns(factors, bad);
  EXPECT_NE(factors.determinant().mantissa, 0);
}

TEST(MethodChoice, IsKeptInFilesOfFactors) {
  const auto A = generate("process", units);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("overlapack_method_choice_" + std::to_string(getpid())))
          .string();
  auto factors = factorize(A, automatic());
  factors.save(path);
  auto loaded = load_factors<double>(path, automatic());
  std::filesystem::remove(path);
  EXPECT_EQ(loaded.report().method, "supernodal");
  EXPECT_EQ(loaded.report().choice, factors.report().choice);
  const auto b = random_vector<double>(A.rows, 3);
  EXPECT_EQ(loaded.solve(b).report.status, Status::ok);
}

template <class T>
void expect_choice_of_type() {
  const auto real = generate("process", 4 * units);  // in single precision few nodes are hardly worth it
  SparseMatrix<T> A{
      real.rows,    real.cols, real.start, real.row, std::vector<T>(real.value.begin(), real.value.end()),
      real.symmetry};
  const auto b = random_vector<T>(A.rows, 3);
  const auto solution = solve(std::move(A), std::span<const T>(b), automatic());
  EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
  EXPECT_TRUE(has(solution.report.choice, "supernodal: ")) << solution.report.choice;
}

TEST(MethodChoice, IsForAllTypes) {
  expect_choice_of_type<float>();
  expect_choice_of_type<std::complex<float>>();
  expect_choice_of_type<std::complex<double>>();
}

}  // namespace
}  // namespace overlapack
