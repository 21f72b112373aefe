#include "overlapack/generate.hpp"
#include "overlapack/multiply.hpp"
#include "overlapack/overlapack.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <numeric>
#include <random>

namespace overlapack {
namespace {

/// K = [H A^H; A -G] and the signs of its pivots, unknowns in random order.
template <class T>
struct Kkt {
  SparseMatrix<T> matrix;
  std::vector<std::int8_t> signs;
  Index plus = 0;
};

/// By columns; each position once.
template <class T>
SparseMatrix<T> compressed(const Triplets<T>& entries) {
  SparseMatrix<T> A{
      entries.rows, entries.cols, std::vector<Index>(static_cast<std::size_t>(entries.cols) + 1), {}, {}};
  std::vector<Index> order(static_cast<std::size_t>(entries.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index k) { return std::pair(entries.col[k], entries.row[k]); });
  for (const Index k : order) {
    ++A.start[static_cast<std::size_t>(entries.col[k]) + 1];
    A.row.push_back(entries.row[k]);
    A.value.push_back(entries.value[k]);
  }
  std::partial_sum(A.start.begin(), A.start.end(), A.start.begin());
  return A;
}

template <class T>
T random_entry(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  if constexpr (ScalarTraits<T>::is_complex)
    return T(static_cast<Real<T>>(uniform(random)), static_cast<Real<T>>(uniform(random)));
  else
    return static_cast<T>(uniform(random));
}

/// H: diagonal from 1 to 2, with some neighbours; G: `lower` on the diagonal; A: a few entries a row.
template <class T = double>
Kkt<T> kkt(Index plus, Index minus, double lower, unsigned seed = 1) {
  std::mt19937 random(seed);
  const Index n = plus + minus;
  std::vector<Index> place(static_cast<std::size_t>(n));
  std::iota(place.begin(), place.end(), Index{0});
  std::ranges::shuffle(place, random);
  Triplets<T> entries{n, n, {}, {}, {}};
  const auto put = [&](Index i, Index j, T value) {
    entries.add(place[i], place[j], value);
    if (i != j) entries.add(place[j], place[i], conjugate(value));
  };
  for (Index i = 0; i < plus; ++i) {
    put(i, i, T(static_cast<Real<T>>(1 + std::abs(random_entry<double>(random)))));
    if (i + 1 < plus) put(i + 1, i, T(Real<T>(0.2)) * random_entry<T>(random));
  }
  for (Index i = 0; i < minus; ++i) {
    if (lower != 0) put(plus + i, plus + i, T(static_cast<Real<T>>(-lower)));
    std::vector<Index> columns;
    for (int k = 0; k < 3 && plus > 0; ++k)
      columns.push_back(static_cast<Index>(random() % static_cast<unsigned>(plus)));
    columns.push_back(i % std::max<Index>(plus, 1));  // full rank where minus <= plus
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const Index j : columns)
      if (plus > 0) put(plus + i, j, random_entry<T>(random) + T(j == i ? Real<T>(2) : Real<T>(0)));
  }
  Kkt<T> made{compressed(entries), std::vector<std::int8_t>(static_cast<std::size_t>(n)), plus};
  for (Index i = 0; i < n; ++i) made.signs[static_cast<std::size_t>(place[i])] = i < plus ? 1 : -1;
  return made;
}

template <class T>
Options options_for(const Kkt<T>& K) {
  return {.factorization = FactorKind::quasidefinite, .ranks = 1, .sparse = {.signs = K.signs}};
}

/// The same column by column.
Options by_columns(Options options) {
  options.method = Method::block_triangular;
  return options;
}

template <class T>
void expect_solves(const Kkt<T>& K, const Options& options, double backward = 1e-14) {
  Factorization<T> factors = factorize(K.matrix, options);
  const std::vector<T> truth(static_cast<std::size_t>(K.matrix.rows), T(1));
  const Solution<T> solution = factors.solve(multiply<T>(K.matrix, truth, Transpose::none));
  EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
  EXPECT_LE(solution.report.backward_error, backward);
  EXPECT_EQ(solution.report.factorization, "quasidefinite");
  EXPECT_EQ(solution.report.pivots.negative, K.matrix.rows - K.plus);
  EXPECT_EQ(solution.report.pivots.delayed, 0);
  EXPECT_EQ(solution.report.pivots.two_by_two, 0);
  EXPECT_EQ(solution.report.factor_nnz, solution.report.predicted_factor_nnz);
}

TEST(Quasidefinite, SolvesByPivotsInOrder) {
  for (const Index minus : {0, 1, 7, 60})
    for (const Index plus : {1, 15, 90})
      for (const bool columns : {false, true}) {
        const auto K = kkt(plus, minus, 0.5);
        expect_solves(K, columns ? by_columns(options_for(K)) : options_for(K));
      }
  for (const Ordering ordering : {Ordering::natural, Ordering::amd, Ordering::metis}) {
    const auto K = kkt(300, 200, 1e-3);
    Options options = options_for(K);
    options.sparse.ordering = ordering;
    expect_solves(K, options);
    expect_solves(K, by_columns(options));
  }
}

TEST(Quasidefinite, OfAllTypes) {
  const auto complex = kkt<std::complex<double>>(200, 120, 0.1);
  expect_solves(complex, options_for(complex));
  expect_solves(complex, by_columns(options_for(complex)));
  const auto single = kkt<float>(200, 120, 0.1);
  expect_solves(single, options_for(single), 5e-6);
  const auto complex_single = kkt<std::complex<float>>(100, 70, 0.1);
  expect_solves(complex_single, options_for(complex_single), 5e-6);
  expect_solves(complex_single, by_columns(options_for(complex_single)), 5e-6);
  const auto mixed = kkt(200, 120, 0.1);
  Options options = options_for(mixed);
  options.precision = Precision::mixed;
  expect_solves(mixed, options);
}

/// A grid with a negative definite copy of it beside: fronts that are large.
Kkt<double> two_grids(Index side) {
  const SparseMatrix<double> L = sparse::generate("cube", side);
  const Index n = L.rows;
  Triplets<double> entries{2 * n, 2 * n, {}, {}, {}};
  for (Index j = 0; j < n; ++j) {
    for (Index p = L.start[j]; p < L.start[j + 1]; ++p) {
      entries.add(L.row[p], j, L.value[p]);
      entries.add(n + L.row[p], n + j, -L.value[p]);
    }
    entries.add(j, n + j, 1);
    entries.add(n + j, j, 1);
  }
  Kkt<double> made{compressed(entries), std::vector<std::int8_t>(static_cast<std::size_t>(2 * n), -1), n};
  std::fill_n(made.signs.begin(), n, std::int8_t{1});
  return made;
}

TEST(Quasidefinite, EveryPathOfFrontsGivesTheSamePivots) {
  const auto K = two_grids(15);
  std::vector<Options> ways(5, options_for(K));
  ways[0].fronts.slice_flops = 0;
  ways[1].ranks = 3, ways[1].fronts.slice_flops = 1e5;
  ways[2].ranks = 3, ways[2].fronts.sharing = NodeParallelism::strips, ways[2].fronts.strip_border = 8,
  ways[2].fronts.strip_rows = 4;
  ways[3].fronts.slice_flops = 1e5;
  ways[4].compression = {.kind = Compression::blr, .order = 100};
  for (std::size_t i = 0; i < ways.size(); ++i) {
    SCOPED_TRACE(i);
    Factorization<double> factors = factorize(K.matrix, ways[i]);
    const Report& report = factors.report();
    EXPECT_EQ(report.pivots.negative, K.plus);
    EXPECT_EQ(report.pivots.perturbed, 0);
    if (i == 1) {
      EXPECT_GT(report.tiled_fronts, 0);
    }
    if (i == 2) {
      EXPECT_GT(report.distributed_fronts, 0);
    }
    if (i == 3) {
      EXPECT_GT(report.tiled_fronts, 0);
    }
    if (i == 4) {
      EXPECT_GT(report.low_rank_fronts, 0);
    }
    if (i == 0) {
      EXPECT_GT(report.small_fronts, 0);
    }
    const std::vector<double> ones(static_cast<std::size_t>(K.matrix.rows), 1);
    const auto solution = factors.solve(multiply<double>(K.matrix, ones));
    EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
    for (const double x : solution.x) ASSERT_NEAR(x, 1, 1e-9);
  }
}

/// Every path counts what it replaces: some signs are wrong.
TEST(Quasidefinite, EveryPathCountsWhatItReplaces) {
  const auto K = two_grids(15);
  Options options = options_for(K);
  for (std::size_t i = 100; i < options.sparse.signs.size(); i += 500) options.sparse.signs[i] *= -1;
  const Index negative = std::ranges::count(options.sparse.signs, -1);
  std::vector<Options> ways(4, options);
  ways.push_back(by_columns(options));
  ways[1].ranks = 3, ways[1].fronts.slice_flops = 1e5;
  ways[2].ranks = 3, ways[2].fronts.sharing = NodeParallelism::strips, ways[2].fronts.strip_border = 8,
  ways[2].fronts.strip_rows = 4;
  ways[3].fronts.slice_flops = 1e5;
  for (const Options& way : ways) {
    Factorization<double> factors = factorize(K.matrix, way);
    EXPECT_EQ(factors.report().pivots.wrong_sign, 14);
    EXPECT_EQ(factors.report().pivots.perturbed, 14);
    EXPECT_EQ(factors.report().pivots.negative, negative);
    EXPECT_EQ(factors.report().numerical_rank, -1);
  }
}

TEST(Quasidefinite, PivotsThatAreZeroAreReplacedAndCounted) {
  const auto K = kkt(80, 50, 0);
  Options options = options_for(K);
  options.sparse.ordering = Ordering::user;  // the zeros of the diagonal first
  for (const std::int8_t sign : {-1, 1})
    for (Index i = 0; i < K.matrix.rows; ++i)
      if (K.signs[static_cast<std::size_t>(i)] == sign) options.sparse.user_order.push_back(i);
  for (const Options& way : {options, by_columns(options)}) {
    Factorization<double> factors = factorize(K.matrix, way);
    EXPECT_EQ(factors.report().pivots.perturbed, 50);
    EXPECT_EQ(factors.report().pivots.wrong_sign, 0);
    EXPECT_EQ(factors.report().pivots.negative, 50);
    const std::vector<double> ones(130, 1);
    const auto solution = factors.solve(multiply<double>(K.matrix, ones));
    EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
    EXPECT_LE(solution.report.backward_error, 1e-10);
    for (const double x : solution.x) EXPECT_NEAR(x, 1, 1e-8);
  }
}

/// L, D and P column by column are those of the matrix, scaled or not.
TEST(Quasidefinite, ColumnsGiveTheirParts) {
  for (const ScalingKind scaling : {ScalingKind::off, ScalingKind::ruiz}) {
    const auto K = kkt(90, 60, 0.1);
    Options options = by_columns(options_for(K));
    options.sparse.scaling = scaling;
    Factorization<double> factors = factorize(K.matrix, options);
    const HalfFactors<double> half = factors.half();
    EXPECT_EQ(half.parts().L.nnz(), factors.report().factor_nnz);
    std::vector<double> x = multiply<double>(K.matrix, std::vector<double>(150, 1)), room(150);
    half.substitute(x, 1, room);
    for (const double value : x) EXPECT_NEAR(value, 1, 1e-11);  // the condition is below 1e3
  }
}

TEST(Quasidefinite, LowFillGoesByColumnsAndRefactorizes) {
  auto K = kkt(1, 2400, 1);  // an arrow
  const Options options = options_for(K);
  Factorization<double> factors = factorize(K.matrix, options);
  EXPECT_EQ(factors.report().method, "block_triangular") << factors.report().choice;
  for (double& value : K.matrix.value) value *= 2;
  factors.refactorize(K.matrix);
  EXPECT_EQ(factors.report().method, "block_triangular");
  EXPECT_EQ(factors.report().pivots.negative, 2400);
  const std::vector<double> ones(2401, 1);
  for (const double x : factors.solve(multiply<double>(K.matrix, ones)).x) EXPECT_NEAR(x, 1, 1e-9);
}

TEST(Quasidefinite, RegularisationIsMadeUpForByRefinement) {
  const auto K = kkt(200, 150, 0);
  for (const double share : {1e-12, 1e-8, 1e-4}) {
    Options options = options_for(K);
    options.sparse.regularization = share;
    Factorization<double> factors = factorize(K.matrix, options);
    EXPECT_EQ(factors.report().pivots.perturbed, 0);  // with a shift there are no zeros
    const std::vector<double> ones(350, 1);
    const auto solution = factors.solve(multiply<double>(K.matrix, ones));
    EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
    EXPECT_LE(solution.report.backward_error, 1e-10);
  }
}

TEST(Quasidefinite, WhatStaysInaccurateIsNeverOk) {
  auto K = kkt(120, 90, 1e-2);
  Options options = options_for(K);
  for (const std::size_t i : {3, 50, 111, 140, 200}) options.sparse.signs[i] *= -1;
  options.refinement.gmres_steps = 0;
  Factorization<double> factors = factorize(K.matrix, options);
  const auto solution = factors.solve(std::vector<double>(210, 1));
  EXPECT_GT(solution.report.pivots.wrong_sign, 0);
  EXPECT_TRUE(solution.report.status == Status::inaccurate || solution.report.backward_error <= 1e-10);
  // GMRES with these factors gets there
  options.refinement.gmres_steps = 300;
  const auto better = factorize(K.matrix, options).solve(std::vector<double>(210, 1));
  EXPECT_LE(better.report.backward_error, solution.report.backward_error);
  EXPECT_EQ(better.report.status == Status::inaccurate, better.report.backward_error > 1e-10);
}

TEST(Quasidefinite, OfASingularMatrixIsNotOk) {
  auto K = kkt(40, 20, 0);
  for (Index p = 0; p < K.matrix.nnz(); ++p)  // unknown 3 meets no other, and has no diagonal
    if (K.matrix.row[p] == 3) K.matrix.value[p] = 0;
  for (Index p = K.matrix.start[3]; p < K.matrix.start[4]; ++p) K.matrix.value[p] = 0;
  Factorization<double> factors = factorize(K.matrix, options_for(K));
  EXPECT_GT(factors.report().pivots.perturbed, 0);
  EXPECT_NE(factors.solve(std::vector<double>(60, 1)).report.status, Status::ok);
}

TEST(Quasidefinite, SignsOfTheDiagonalAreTheDefault) {
  const auto K = kkt(60, 40, 0.3);
  Options options = options_for(K);
  options.sparse.signs.clear();
  expect_solves(K, options);
}

void expect_refactorizes_and_is_kept(const Kkt<double>& K, const Options& options) {
  Factorization<double> factors = factorize(K.matrix, options);
  SparseMatrix<double> twice = K.matrix;
  for (double& value : twice.value) value *= 2;
  factors.refactorize(twice);
  const std::vector<double> ones(150, 1), b = multiply<double>(K.matrix, ones);
  for (const double x : factors.solve(b).x) EXPECT_NEAR(x, 0.5, 1e-12);
  const std::string path = testing::TempDir() + "quasidefinite.factors";
  factors.save(path);
  Factorization<double> loaded = load_factors<double>(path);
  for (const double x : loaded.solve(b).x) EXPECT_NEAR(x, 0.5, 1e-12);
  loaded.refactorize(K.matrix);
  EXPECT_EQ(loaded.report().pivots.negative, 60);
  std::remove(path.c_str());
  const PatternAnalysis kept = analyse(K.matrix, options);
  Factorization<double> by_kept = factorize(K.matrix, kept, {});
  EXPECT_EQ(by_kept.report().factorization, "quasidefinite");
  EXPECT_EQ(by_kept.report().pivots.negative, 60);
  Options others = options;
  others.sparse.signs[0] = static_cast<std::int8_t>(-others.sparse.signs[0]);
  EXPECT_THROW(factorize(K.matrix, kept, others), Error);
}

TEST(Quasidefinite, IsRefactorizedSavedAndKept) {
  const auto K = kkt(90, 60, 0.1);
  expect_refactorizes_and_is_kept(K, options_for(K));
  expect_refactorizes_and_is_kept(K, by_columns(options_for(K)));
}

template <class F>
void expect_refused(Status status, const std::string& text, F&& f) {
  try {
    f();
    ADD_FAILURE() << "not refused: " << text;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), status) << error.what();
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(Quasidefinite, RefusesSignsThatDoNotFit) {
  const auto K = kkt(8, 5, 0);
  const auto with = [&](std::vector<std::int8_t> signs) {
    factorize(K.matrix, {.factorization = FactorKind::quasidefinite, .sparse = {.signs = std::move(signs)}});
  };
  expect_refused(Status::bad_input, "signs has 12 entries", [&] { with(std::vector<std::int8_t>(12, 1)); });
  expect_refused(Status::bad_input, "signs[4] is 0", [&] {
    auto signs = K.signs;
    signs[4] = 0;
    with(signs);
  });
  expect_refused(Status::bad_input, "of the diagonal is zero", [&] { with({}); });
}

TEST(Quasidefinite, RefusesWhatItDoesNotGoWith) {
  const auto K = kkt(8, 5, 0.1);
  const auto refuses = [&](const std::string& text, auto&& change) {
    Options options = options_for(K);
    change(options);
    expect_refused(Status::bad_plan, text, [&] { factorize(K.matrix, options); });
  };
  refuses("null_pivots", [](Options& o) { o.sparse.null_pivots = true; });
  refuses("matching is on", [](Options& o) { o.sparse.matching = Switch::on; });
  refuses("supernodal", [](Options& o) { o.method = Method::supernodal; });
  refuses("sequential", [](Options& o) { o.fronts.root = RootParallelism::grid; });
  refuses("signs are given", [](Options& o) { o.factorization = FactorKind::ldlt; });
  refuses("regularization is set", [](Options& o) {
    o.factorization = FactorKind::ldlt;
    o.sparse.signs.clear();
    o.sparse.regularization = 1e-8;
  });
  auto unsymmetric = K.matrix;
  unsymmetric.value[1] += 1;
  expect_refused(Status::bad_plan, "factorization is quasidefinite, but the matrix is general",
                 [&] { factorize(unsymmetric, options_for(K)); });
  auto complex = kkt<std::complex<double>>(8, 5, 0.1);
  for (auto& value : complex.matrix.value) value = {value.real(), std::abs(value.imag()) + 1};
  expect_refused(Status::bad_plan, "quasidefinite", [&] { factorize(complex.matrix, options_for(complex)); });
}

TEST(Quasidefinite, SignsThatAreAllWrongAreToldOf) {
  const auto K = kkt(120, 90, 1e-2);
  Options options = options_for(K);
  for (std::int8_t& sign : options.sparse.signs) sign = static_cast<std::int8_t>(-sign);
  try {
    const auto solution = factorize(K.matrix, options).solve(std::vector<double>(210, 1));
    EXPECT_EQ(solution.report.status, Status::inaccurate);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("signs"), std::string::npos) << error.what();
  }
}

/// A replaced pivot of 1e297 beside entries of 1e305 leaves 1e313 in another row.
TEST(Quasidefinite, NumbersThatLeaveTheirRangeAreRefused) {
  auto K = kkt(30, 20, 0);
  for (double& value : K.matrix.value) value *= 1e305;
  Options options = options_for(K);
  options.sparse.scaling = ScalingKind::off;
  options.sparse.ordering = Ordering::user;
  for (const std::int8_t sign : {-1, 1})
    for (Index i = 0; i < K.matrix.rows; ++i)
      if (K.signs[static_cast<std::size_t>(i)] == sign) options.sparse.user_order.push_back(i);
  for (const Options& way : {options, by_columns(options)})
    expect_refused(Status::bad_input, "range", [&] { factorize(K.matrix, way); });
}

}  // namespace
}  // namespace overlapack
