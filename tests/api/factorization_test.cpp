#include "overlapack/environment.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/overlapack.hpp"
#include "random_values.hpp"
#include "sparse/matrix/triplets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <limits>

namespace overlapack {
namespace {

/// A band of random entries with unsorted columns; the diagonal is not dominant, so that pivots matter.
template <class T>
SparseMatrix<T> random_band(Index n, std::uint64_t seed) {
  Random random(seed);
  SparseMatrix<T> A;
  A.rows = A.cols = n;
  for (Index j = 0; j < n; ++j) {
    for (Index i : {j, (j + 1) % n, (j + n - 1) % n, (j * 7 + 3) % n}) {
      A.row.push_back(i);
      A.value.push_back(random_value<T>(random));
    }
    A.start.push_back(A.nnz());
  }
  return A;
}

/// max_i |b - A x|_i / (|A||x| + |b|)_i by a loop over the entries as given, duplicates and all, in long double.
template <class T>
double slow_backward_error(const SparseMatrix<T>& A, const T* b, const T* x) {
  using Long = std::complex<long double>;
  std::vector<Long> r(b, b + A.rows);
  std::vector<long double> w;
  for (Index i = 0; i < A.rows; ++i) w.push_back(std::abs(b[i]));
  for (Index j = 0; j < A.cols; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
      const Long product = Long(A.value[k]) * Long(x[j]);
      r[A.row[k]] -= product;
      w[A.row[k]] += std::abs(product);
    }
  double most = 0;
  for (Index i = 0; i < A.rows; ++i)
    if (w[i] > 0) most = std::max(most, static_cast<double>(std::abs(r[i]) / w[i]));
  return most;
}

void expect_error(Status kind, const std::function<void()>& f) {
  try {
    f();
    ADD_FAILURE() << "no error of kind " << to_string(kind);
  } catch (const Error& error) {
    EXPECT_EQ(to_string(error.status()), to_string(kind)) << error.what();
  }
}

template <class T>
class SolveOfType : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SolveOfType, Types);

TYPED_TEST(SolveOfType, HasASmallBackwardErrorOnAnyNumberOfRanks) {
  using T = TypeParam;
  const double bound = 45 * std::numeric_limits<Real<T>>::epsilon();
  for (Index n : {1, 2, 3, 40, 300})
    for (int ranks : {1, 2, 3}) {
      const auto A = random_band<T>(n, 11);
      const auto b = random_vector<T>(n, 12);
      const Solution<T> solution = solve(A, b, {.ranks = ranks});
      EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
      EXPECT_EQ(solution.report.ranks, ranks);
      EXPECT_LE(slow_backward_error(A, b.data(), solution.x.data()), 2 * bound)
          << "n " << n << " ranks " << ranks;
    }
}

/// Dense diagonal blocks that take less than 1e6 flops each go column by column, on rank 0.
TEST(Ranks, AutoTakesOneWhereOthersWouldHaveNothingToDo) {
  constexpr Index order = 108, blocks = 14;
  SparseMatrix<double> A;
  A.rows = A.cols = order * blocks;
  A.start.assign(1, 0);
  for (Index j = 0; j < A.cols; ++j) {
    for (Index i = j / order * order; i < (j / order + 1) * order; ++i) {
      A.row.push_back(i);
      A.value.push_back(i == j ? 300 : 1 / static_cast<double>(2 + i % 7 + j % 5));
    }
    A.start.push_back(A.nnz());
  }
  Options options;
  options.method = Method::block_triangular;
  const Report columns = plan(A, options);
  EXPECT_GT(columns.predicted_flops, 1e7);
  EXPECT_EQ(columns.shared_flops, 0);
  EXPECT_EQ(columns.ranks, 1);
  options.method = Method::multifrontal;
  const Report fronts = plan(A, options);
  EXPECT_EQ(fronts.shared_flops, fronts.predicted_flops);
  EXPECT_EQ(fronts.ranks, usable_processors());
}

TYPED_TEST(SolveOfType, ManyRightHandSidesAreSolvedAsEach) {
  using T = TypeParam;
  const Index n = 60, nrhs = 5;
  const auto A = random_band<T>(n, 21);
  const auto b = random_vector<T>(n * nrhs, 22);
  auto factors = factorize(A, {.ranks = 2});
  const auto together = factors.solve(b, nrhs);
  EXPECT_EQ(together.report.right_hand_sides, nrhs);
  for (Index k = 0; k < nrhs; ++k)
    EXPECT_LE(slow_backward_error(A, b.data() + k * n, together.x.data() + k * n),
              90 * std::numeric_limits<Real<T>>::epsilon());
}

/// [0 B; C H] of order 2 n (C = B^T where symmetric), its zeros first in the matrix: no pivot without the border.
template <class T>
SparseMatrix<T> zeros_first(Index n, bool is_symmetric) {
  Random random(31);
  std::vector<std::vector<T>> dense(static_cast<std::size_t>(2 * n),
                                    std::vector<T>(static_cast<std::size_t>(2 * n)));
  const auto set = [&](Index i, Index j, T v) {
    dense[i][j] = v;
    dense[j][i] = is_symmetric ? v : v * T(2);
  };
  for (Index k = 0; k < n; ++k) {
    set(k, n + k, T(3) + random_value<T>(random));
    set(k, n + (7 * k + 1) % n, random_value<T>(random));
    set(n + k, n + k, T(4));
    if (k > 0) set(n + k, n + k - 1, random_value<T>(random));
  }
  SparseMatrix<T> A;
  A.rows = A.cols = 2 * n;
  for (Index j = 0; j < 2 * n; ++j) {
    for (Index i = 0; i < 2 * n; ++i)
      if (dense[i][j] != T(0)) {
        A.row.push_back(i);
        A.value.push_back(dense[i][j]);
      }
    A.start.push_back(A.nnz());
  }
  return A;
}

TYPED_TEST(SolveOfType, StaticPivotsAreReplacedAndRefined) {
  using T = TypeParam;
  constexpr double eps = std::numeric_limits<Real<T>>::epsilon();
  for (const bool is_symmetric : {false, true}) {
    const auto A = zeros_first<T>(40, is_symmetric);
    const auto b = random_vector<T>(2 * A.rows, 3);
    for (const int ranks : {1, 3}) {
      Options options{.method = Method::multifrontal,
                      .ranks = ranks,
                      .sparse = {.ordering = Ordering::natural, .matching = Switch::off},
                      .refinement = {.steps = 0}};
      EXPECT_GT(factorize(A, options).report().pivots.delayed, 0);
      options.sparse.perturbation = std::sqrt(eps);
      auto factors = factorize(A, options);
      EXPECT_EQ(factors.report().pivots.delayed, 0);
      EXPECT_GT(factors.report().pivots.perturbed, 0);
      for (const auto op : {Transpose::none, Transpose::trans}) {
        const auto solution = factors.solve(b, 2, op);
        EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
        EXPECT_GT(solution.report.iterations_max, 0);  // in spite of refinement_steps
      }
      options.method = Method::block_triangular;
      options.sparse.pivot_threshold = 0;
      options.factorization = FactorKind::lu;
      const auto by_blocks = solve(A, std::span<const T>(b), options);
      EXPECT_EQ(by_blocks.report.status, Status::ok) << by_blocks.report.message;
      EXPECT_EQ(by_blocks.report.method, "block_triangular");
    }
  }
}

/// A matrix that has factors by diagonal blocks is not singular.
TEST(Solve, TheNullSpaceOfDiagonalBlocksIsEmpty) {
  Options options{.method = Method::block_triangular, .ranks = 2};
  EXPECT_TRUE(factorize(random_band<double>(60, 5), options).null_space().empty());
}

/// With a threshold that many pivots fail, but none of them small: taken as they are, nothing is replaced.
TYPED_TEST(SolveOfType, StaticPivotsBelowTheThresholdAreTaken) {
  using T = TypeParam;
  const auto A = random_band<T>(120, 5);
  const auto b = random_vector<T>(120, 6);
  Options options{.method = Method::multifrontal,
                  .sparse = {.ordering = Ordering::natural, .matching = Switch::off, .pivot_threshold = 1}};
  EXPECT_GT(solve(A, std::span<const T>(b), options).report.pivots.delayed, 0);
  options.sparse.perturbation = 1e-30;
  const auto solution = solve(A, std::span<const T>(b), options);
  EXPECT_EQ(solution.report.pivots.delayed, 0);
  EXPECT_EQ(solution.report.pivots.perturbed, 0);
  EXPECT_EQ(solution.report.status, Status::ok) << solution.report.message;
}

TEST(Factorization, ThresholdsCountInTheNextRefactorize) {
  const auto A = random_band<double>(120, 5);
  Factorization<double> factors = factorize(
      A, {.method = Method::multifrontal,
          .sparse = {.ordering = Ordering::natural, .matching = Switch::off, .pivot_threshold = 0}});
  EXPECT_EQ(factors.report().pivots.delayed, 0);
  factors.set_pivot_threshold(1);
  EXPECT_EQ(factors.report().pivots.delayed, 0);
  factors.refactorize(A);
  EXPECT_GT(factors.report().pivots.delayed, 0);
  factors.set_pivot_threshold(0);
  factors.refactorize(A);
  EXPECT_EQ(factors.report().pivots.delayed, 0);
  for (const double wrong : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
    expect_error(Status::bad_plan, [&] { factors.set_pivot_threshold(wrong); });
}

TEST(Factorization, TellsTheSymmetryOfTheValuesThatItHas) {
  const auto A = sparse::generate("cube", 4);
  SparseMatrix<double> nearly = A, general = A;
  nearly.symmetry = general.symmetry = Symmetry::general;
  nearly.value[1] *= 1 + 1e-15;
  general.value[1] = 7;
  for (const bool by_values : {false, true}) {
    Factorization<double> factors = factorize(A, {.factorization = FactorKind::lu});
    const auto expect_after = [&](const SparseMatrix<double>& other, const std::string& symmetry,
                                  bool has_hint) {
      by_values ? factors.refactorize_values(other.value) : factors.refactorize(other);
      EXPECT_EQ(factors.report().symmetry, symmetry);
      EXPECT_EQ(factors.report().hint.find("symmetric up to rounding") != std::string::npos, has_hint)
          << factors.report().hint;
    };
    expect_after(A, "symmetric", false);
    expect_after(nearly, "general", true);
    expect_after(general, "general", false);
  }
}

/// Factors in single precision leave something to refine.
TEST(Factorization, RefinementStepsCountInTheNextSolve) {
  const auto A = sparse::generate("cube", 5);
  const auto b = random_vector<double>(A.rows, 3);
  Factorization<double> factors =
      factorize(A, {.precision = Precision::mixed, .refinement = {.steps = 0, .accuracy = 1}});
  EXPECT_EQ(factors.solve(b).report.iterations_max, 0);
  factors.set_refinement_steps(3);
  EXPECT_GT(factors.solve(b).report.iterations_max, 0);
  factors.set_refinement_steps(0);
  EXPECT_EQ(factors.solve(b).report.iterations_max, 0);
  for (const int wrong : {-1, 1001})
    expect_error(Status::bad_plan, [&] { factors.set_refinement_steps(wrong); });
}

TEST(Factorization, NamesAnEntryThatIsNotSymmetric) {
  auto A = sparse::generate("cube", 3);
  A.value[1] = 7;  // A(1, 0)
  const auto message_of = [](const SparseMatrix<double>& matrix, const Options& options) -> std::string {
    try {
      factorize(matrix, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const std::string position = "A(1, 0) = 7, but A(0, 1) = ";
  EXPECT_NE(message_of(A, {}).find("said to be symmetric"), std::string::npos);
  EXPECT_NE(message_of(A, {}).find(position), std::string::npos);
  A.symmetry = Symmetry::general;
  EXPECT_EQ(message_of(A, {}), "");
  for (const FactorKind kind : {FactorKind::ldlt, FactorKind::cholesky})
    EXPECT_NE(message_of(A, {.factorization = kind}).find(position), std::string::npos);
}

TEST(Factorization, SaysWhyARefusedMatrixOrRightHandSideDoesNotFit) {
  using Complex = std::complex<double>;
  const auto message_of = [](const std::function<void()>& call) -> std::string {
    try {
      call();
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const SparseMatrix<Complex> A{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {Complex(4, 4), 1, 1, 3}};
  const std::string of_diagonal = message_of([&] { factorize(A, {.factorization = FactorKind::cholesky}); });
  EXPECT_NE(
      of_diagonal.find("its diagonal is not real, so it is not Hermitian: A(0, 0) = (4,4) (from 0); use lu"),
      std::string::npos)
      << of_diagonal;
  const std::string of_length = message_of([&] { solve(A, std::vector<Complex>{1}); });
  EXPECT_EQ(
      of_length,
      "the right-hand side has 1 entry, but the matrix has 2 rows; give 2 numbers for each right-hand side");
}

/// Its determinant has a sign, and its solutions are those of other factors.
TEST(Factorization, LdltWithARootByLuHasNoInertia) {
  const auto A = sparse::generate("saddle", 6);
  const auto b = random_vector<double>(A.rows, 3);
  Options options{.method = Method::multifrontal, .factorization = FactorKind::ldlt, .ranks = 3};
  options.fronts.sharing = NodeParallelism::strips;
  options.fronts.root_block = 3;
  Factorization<double> on_one = factorize(A, options);
  options.fronts.root = RootParallelism::grid;
  Factorization<double> on_grid = factorize(A, options);
  EXPECT_EQ(on_one.report().grid_roots, 0);
  EXPECT_EQ(on_grid.report().grid_roots, 1);
  const Determinant<double> one = on_one.determinant(), grid = on_grid.determinant();
  EXPECT_NEAR(std::ldexp(grid.mantissa, static_cast<int>(grid.exponent - one.exponent)) / one.mantissa, 1,
              1e-8);
  EXPECT_EQ(on_grid.solve(b).report.status, Status::ok);
  try {
    on_grid.inertia();
    ADD_FAILURE() << "LU told an inertia";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_plan);
    EXPECT_NE(std::string(error.what()).find("set root to sequential"), std::string::npos) << error.what();
  }
  options.sparse.null_pivots = true;
  expect_error(Status::bad_plan, [&] { factorize(A, options); });
}

TEST(Factorization, NamesTheBytesThatItWouldNeed) {
  const auto A = sparse::generate("cube", 6);
  const auto needed = static_cast<Index>(plan(A, {.ranks = 1}).predicted_bytes);
  try {
    factorize(A, {.ranks = 1, .run = {.memory_limit_bytes = 1000}});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::out_of_memory);
    for (const std::string& part : {std::to_string(needed) + " bytes", std::string("1000 bytes"),
                                    std::string("memory_limit"), std::string("dissection")})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

/// [K B; C 0] with a symmetric pattern and C = 3 B^T: rows stay, and fronts exchange what has no diagonal.
TEST(Factorization, SolvesUnsymmetricSaddlePointsWithRowsAsGiven) {
  auto A = sparse::generate("saddle", 9);
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (A.row[p] > j) A.value[p] *= 3;
  A.symmetry = Symmetry::general;
  for (const int ranks : {1, 2, 3, 4})
    for (const NodeParallelism sharing : {NodeParallelism::slices, NodeParallelism::strips}) {
      auto factors =
          factorize(A, {.method = Method::multifrontal, .ranks = ranks, .fronts = {.sharing = sharing}});
      const auto b = random_vector<double>(A.rows, 5);
      for (const auto op : {Transpose::none, Transpose::trans}) {
        const auto solution = factors.solve(b, 1, op);
        EXPECT_EQ(solution.report.status, Status::ok);
        EXPECT_LE(solution.report.backward_error, 1e-15);
      }
      EXPECT_NE(factors.report().choice.find("rows as given"), std::string::npos) << factors.report().choice;
      EXPECT_LE(factors.report().pivots.delayed, A.rows / 20);
      for (double& value : A.value) value *= 2;
      factors.refactorize(A);
      EXPECT_EQ(factors.solve(b).report.status, Status::ok);
    }
}

/// Delayed pivots need what nobody predicted.
TEST(Factorization, KeepsTheMemoryLimitWhereThePredictionIsTooSmall) {
  const auto A = sparse::generate("saddle", 8);
  Options options{.method = Method::multifrontal, .ranks = 1};
  options.sparse.matching = Switch::off;
  options.sparse.ordering = Ordering::dissection;
  auto factors = factorize(A, options);
  const Report report = factors.report();
  ASSERT_GT(report.peak_bytes, 1.15 * report.predicted_bytes);
  options.run.memory_limit_bytes = static_cast<std::int64_t>(report.predicted_bytes);
  try {
    factorize(A, options);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::out_of_memory);
    for (const std::string part : {"came to need", "was predicted to need", "raise memory_limit"})
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
  options.run.memory_limit_bytes = static_cast<std::int64_t>(report.peak_bytes);
  EXPECT_EQ(factorize(A, options).report().peak_bytes, report.peak_bytes);
}

/// Blocks are rounded up, so that a run takes a little more than the prediction.
TEST(Factorization, RunsInThePredictedMemory) {
  for (const char* kind : {"cube", "convection", "elasticity"}) {
    const auto A = sparse::generate(kind, 8);
    Options options{.method = Method::multifrontal, .ranks = 1};
    options.run.memory_limit_bytes = static_cast<std::int64_t>(plan(A, options).predicted_bytes);
    EXPECT_LE(factorize(A, options).report().peak_bytes, 1.125 * double(options.run.memory_limit_bytes))
        << kind;
  }
}

/// Threads share one process: what they hold together at one time is about what one of them would hold, whatever each of them held at
/// its own peak. A refactorisation keeps the contribution blocks of each rank for the next.
TEST(Factorization, SeveralThreadsHoldAboutAsMuchAsOne) {
  for (const auto& [kind, size] :
       {std::pair("cube", 20), std::pair("elasticity", 12), std::pair("saddle", 12)}) {
    const auto A = sparse::generate(kind, size);
    double of_one = 0, sum_of_ranks = 0;
    for (const int ranks : {1, 2, 3, 7, 16}) {
      auto factors = factorize(A, {.method = Method::multifrontal, .ranks = ranks});
      const Report first = factors.report();
      if (ranks == 1) of_one = first.peak_bytes;
      EXPECT_LE(first.peak_bytes, 1.3 * of_one) << kind << ' ' << ranks;
      EXPECT_LE(first.peak_bytes, 1.3 * first.predicted_bytes) << kind << ' ' << ranks;
      sum_of_ranks = std::max(sum_of_ranks, ranks * first.most_bytes_of_rank);
      factors.refactorize(A);
      for (const Report& report : {first, factors.report()}) {
        EXPECT_GE(report.peak_bytes, report.factor_bytes) << kind << ' ' << ranks;
        EXPECT_GE(report.peak_bytes, report.most_bytes_of_rank) << kind << ' ' << ranks;
      }
    }
    EXPECT_GT(sum_of_ranks, 2 * of_one) << kind;
  }
}

TEST(Factorization, SolvesAgainAndAfterAMove) {
  const auto A = sparse::generate("cube", 7);
  auto first = factorize(A);
  auto factors = std::move(first);
  for (std::uint64_t seed : {1, 2, 3}) {
    const auto b = random_vector<double>(A.rows, seed);
    const auto solution = factors.solve(b);
    EXPECT_LE(slow_backward_error(A, b.data(), solution.x.data()),
              90 * std::numeric_limits<double>::epsilon());
  }
  EXPECT_EQ(factors.report().factorization, "ldlt");
  EXPECT_GT(factors.report().factor_nnz, A.nnz() / 2);
}

TEST(Factorization, OfNoRightHandSide) {
  auto factors = factorize(sparse::generate("cube", 3));
  EXPECT_TRUE(factors.solve(std::span<const double>(), 0).x.empty());
}

TEST(Factorization, KindsOfSymmetricMatrices) {
  const auto A = sparse::generate("cube", 5);
  const auto b = random_vector<double>(A.rows, 1);
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
    const auto solution = solve(A, b, {.factorization = kind});
    EXPECT_EQ(solution.report.factorization, to_string(kind));
    EXPECT_LE(slow_backward_error(A, b.data(), solution.x.data()),
              90 * std::numeric_limits<double>::epsilon());
  }
}

TEST(Factorization, RefusesBadInput) {
  const auto good = random_band<double>(5, 1);
  const auto with = [&](auto change) {
    auto A = good;
    change(A);
    return [A] { factorize(A); };
  };
  expect_error(Status::bad_input, with([](auto& A) { A.row[3] = 5; }));
  expect_error(Status::bad_input, with([](auto& A) { A.row[3] = -1; }));
  expect_error(Status::bad_input, with([](auto& A) { A.value[3] = std::nan(""); }));
  expect_error(Status::bad_input, with([](auto& A) { A.start[2] = 100; }));
  expect_error(Status::bad_input, with([](auto& A) { A.rows = 6; }));
  expect_error(Status::bad_input, with([](auto& A) { A = {}; }));
  expect_error(Status::singular, with([](auto& A) { A.value.assign(A.value.size(), 0.0); }));
  auto factors = factorize(good);
  expect_error(Status::bad_input, [&] { factors.solve(std::vector<double>(4)); });
  expect_error(Status::bad_input, [&] { factors.solve(std::vector<double>(5), 2); });
  expect_error(Status::bad_input, [&] { factors.solve(std::vector<double>(5, INFINITY)); });
  EXPECT_EQ(factors.solve(std::vector<double>(5, 1)).report.status, Status::ok);  // usable after errors
}

TEST(Factorization, EntriesOfTheInverseAreAskedForInPairs) {
  auto factors = factorize(random_band<double>(5, 1));
  const std::vector<Index> rows{0, 3}, cols{4, 1};
  const std::vector<double> found = factors.inverse_entries(rows, cols);
  for (std::size_t k = 0; k < 2; ++k) {
    std::vector<double> column(5, 0.0);
    column[static_cast<std::size_t>(cols[k])] = 1;
    const double entry = factors.solve(column).x[static_cast<std::size_t>(rows[k])];
    EXPECT_NEAR(found[k], entry, 1e-13 * std::abs(entry));
  }
  expect_error(Status::bad_input, [&] { factors.inverse_entries(rows, std::vector<Index>{4}); });
  for (const Index outside : {-1, 5})
    expect_error(Status::bad_input, [&] { factors.inverse_entries(rows, std::vector<Index>{0, outside}); });
}

TEST(Factorization, RefusesBadPlans) {
  const auto A = random_band<double>(5, 1);
  expect_error(Status::bad_plan, [&] { factorize(A, {.factorization = FactorKind::cholesky}); });
  expect_error(Status::bad_plan, [&] { factorize(A, {.sparse = {.ordering = Ordering::user}}); });
  expect_error(Status::bad_plan, [&] { factorize(A, {.sparse = {.pivot_threshold = 2}}); });
  expect_error(Status::bad_plan,
               [&] { factorize(A, {.sparse = {.null_pivots = true, .perturbation = 1e-8}}); });
  expect_error(Status::bad_input, [&] {
    factorize(A, {.sparse = {.ordering = Ordering::user, .user_order = {0, 1}}});
  });
  for (const Method method : {Method::multifrontal, Method::block_triangular, Method::supernodal})
    for (const std::vector<Index>& order :
         {std::vector<Index>{0, 1, 2, 3, 3}, {1, 2, 3, 4, 5}, {0, 1, 2, 3, -1}})
      expect_error(Status::bad_input, [&] {
        factorize(A, {.method = method, .sparse = {.ordering = Ordering::user, .user_order = order}});
      });
}

/// The matching's scales grow by 1e4 from row to row; vectors are scaled by them in the type of the matrix. So do changes of last
/// digits, to 1e116.
TEST(Factorization, ScalesStayInTheRangeOfSinglePrecision) {
  constexpr Index n = 30;
  Triplets<float> entries{n, n, {}, {}, {}};
  std::vector<float> b(n, 1);
  for (Index i = 0; i < n; ++i) {
    entries.row.insert(entries.row.end(), {i, i});
    entries.col.insert(entries.col.end(), {i, std::min(i + 1, n - 1)});
    entries.value.insert(entries.value.end(), {1, i + 1 < n ? 1e4F : 0});
    if (i + 1 < n) b[static_cast<std::size_t>(i)] = 10001;
  }
  const SparseMatrix<float> A = sparse::compress(std::move(entries)).matrix;
  for (const Method method : {Method::multifrontal, Method::block_triangular}) {
    const auto solution = solve(A, std::span<const float>(b), {.method = method});
    EXPECT_EQ(solution.report.matching, "maximum product");
    EXPECT_EQ(solution.report.status, Status::ill_conditioned) << solution.report.message;
    EXPECT_LT(solution.report.backward_error, 1e-6);
  }
}

TEST(Factorization, StopsWhenTheCallerWants) {
  const auto A = sparse::generate("cube", 12);
  std::vector<std::string> phases;
  Options options{.ranks = 2};
  options.progress = [&](const Progress& progress) {
    if (phases.empty() || phases.back() != progress.phase) phases.emplace_back(progress.phase);
    EXPECT_GE(progress.share, 0);
    EXPECT_LE(progress.share, 1 + 1e-9);
    return false;
  };
  solve(A, random_vector<double>(A.rows, 1), options);
  EXPECT_EQ(phases, (std::vector<std::string>{"analysis", "factorisation", "solve"}));
  for (const char* phase : {"analysis", "factorisation", "solve"}) {
    options.progress = [&](const Progress& progress) { return progress.phase == phase; };
    expect_error(Status::cancelled, [&] { solve(A, random_vector<double>(A.rows, 1), options); });
  }
}

TEST(Factorization, TellsSharesThatDoNotFall) {
  const auto A = sparse::generate("saddle", 12);  // pairs of pivots, merged or followed, are compared
  std::string phase;
  double share = 0;
  Options options{.ranks = 2, .sparse = {.ordering_effort = OrderingEffort::high}};
  options.progress = [&](const Progress& progress) {
    if (progress.phase == phase) {
      EXPECT_GE(progress.share, share) << progress.step;
    }
    phase = progress.phase;
    share = progress.share;
    return false;
  };
  factorize(A, options);
}

/// How often a matrix is factorised until another order is looked for; 0: more than 60 times.
template <class T>
int factorizations_to_another_order(Factorization<T>& factors, const SparseMatrix<T>& A) {
  for (int times = 1; times <= 60; ++times) {
    if (factors.report().analysed_again > 0) return times;
    factors.refactorize_values(A.value);
  }
  return 0;
}

TEST(Factorization, LooksForAnotherOrderOnceItPays) {
  const auto A = sparse::generate("cube", 16);
  const auto b = random_vector<double>(A.rows, 3);
  int times = 0;
  for (const int ranks : {1, 2, 3}) {
    auto factors = factorize(A, {.ranks = ranks});
    ASSERT_EQ(factors.report().ordering, "amd");
    const double flops = factors.report().predicted_flops;
    const int found = factorizations_to_another_order(factors, A);
    ASSERT_GT(found, 1);
    EXPECT_TRUE(times == 0 || times == found) << "it depends on predicted times alone";
    times = found;
    const Report& report = factors.report();
    EXPECT_EQ(report.ordering, "dissection");
    EXPECT_LT(report.predicted_flops, flops);
    EXPECT_NE(report.choice.find("there were " + std::to_string(times) +
                                 " factorisations, so it was analysed again for as many more"),
              std::string::npos)
        << report.choice;
    EXPECT_LT(factors.solve(b).report.backward_error, 1e-14);
    for (int more = 0; more < times; ++more) factors.refactorize_values(A.value);
    EXPECT_EQ(factors.report().analysed_again, 1);
    const Options dissected{.ranks = ranks, .sparse = {.ordering = Ordering::dissection}};
    EXPECT_EQ(factors.solve(b).x, factorize(A, dissected).solve(b).x);
  }
}

TEST(Factorization, KeepsAnOrderThatWasAskedFor) {
  const auto A = sparse::generate("cube", 16);
  for (const SparseOptions& asked :
       {SparseOptions{.ordering = Ordering::amd}, SparseOptions{.ordering_effort = OrderingEffort::low}}) {
    auto factors = factorize(A, {.ranks = 1, .sparse = asked});
    EXPECT_EQ(factorizations_to_another_order(factors, A), 0);
    EXPECT_EQ(factors.report().ordering, "amd");
  }
}

TEST(Factorization, StopsInEveryStepOfItsAnalysis) {
  const auto A = sparse::generate("convection", 12);
  std::vector<std::string> steps;
  double share = 0;
  Options options{.ranks = 1, .sparse = {.ordering = Ordering::metis, .matching = Switch::on}};
  options.progress = [&](const Progress& progress) {
    if (!progress.step.empty() && (steps.empty() || steps.back() != progress.step))
      steps.emplace_back(progress.step);
    if (progress.phase == "analysis") {
      EXPECT_GE(progress.share, share) << progress.step;
      share = progress.share;
    }
    return false;
  };
  factorize(A, options);
  EXPECT_EQ(share, 1);
  for (const char* step : {"matching", "graph", "ordering by METIS", "structure of L"})
    EXPECT_EQ(std::ranges::count(steps, step), 1) << step;
  for (const std::string& step : steps) {
    options.progress = [&](const Progress& progress) { return progress.step == step; };
    expect_error(Status::cancelled, [&] { factorize(A, options); });
  }
}

TEST(Factorization, AsksTheCallerBetweenRightHandSides) {
  constexpr Index columns = 512;  // takes many times the 20 ms between two calls
  const auto A = sparse::generate("cube", 20);
  Index asked = 0;
  Options options{.ranks = 2};
  options.progress = [&](const Progress& progress) {
    asked += progress.phase == "solve";
    return false;
  };
  auto factors = factorize(A, options);
  const auto solution = factors.solve(random_vector<double>(A.rows * columns, 1), columns);
  EXPECT_GT(asked, solution.report.iterations_max + 1);  // more than before each solve with all of them
}

TEST(Factorization, TellsOfAnInaccurateSolution) {
  const auto A = sparse::generate("cube", 6);
  const auto solution =
      solve(A, random_vector<double>(A.rows, 1), {.refinement = {.steps = 0, .accuracy = 1e-300}});
  EXPECT_EQ(solution.report.status, Status::inaccurate);
  EXPECT_NE(solution.report.message.find("backward error"), std::string::npos);
}

TEST(Plan, PredictsWithoutFactorizing) {
  const auto A = sparse::generate("cube", 8);
  const Report predicted = plan(A, {.sparse = {.ordering = Ordering::amd}});
  const auto factors = factorize(A, {.ranks = 1, .sparse = {.ordering = Ordering::amd}});
  EXPECT_EQ(predicted.ordering, "amd");
  EXPECT_EQ(predicted.predicted_factor_nnz, factors.report().predicted_factor_nnz);
}

TEST(Plan, PredictsMemoryWhereNoPivotIsDelayed) {
  for (const FactorKind factorization : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky})
    for (const auto& [kind, size] :
         {std::pair("cube", 8), std::pair("cube", 20), std::pair("elasticity", 6)}) {
      const auto A = sparse::generate(kind, size);
      const Report report = factorize(A, {.factorization = factorization, .ranks = 1}).report();
      EXPECT_EQ(report.pivots.delayed, 0);
      EXPECT_NEAR(report.peak_bytes / report.predicted_bytes, 1, 0.2)
          << to_string(factorization) << ' ' << kind << ' ' << size;
    }
}

}  // namespace
}  // namespace overlapack
