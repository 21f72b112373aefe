#include "node_problems.hpp"

#include <functional>
#include <limits>
#include <string>

/// Numbers of supernodal LU: types x matrices x grids x schedules, on whichever engine the test was started with.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class SupernodalOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SupernodalOf, Types);

TYPED_TEST(SupernodalOf, SolvesWithAAndItsTranspose) {
  using T = TypeParam;
  for (const Index n : {1, 2, 3, 10, 60, 150}) {
    const auto A = random_matrix<T>(n, 3, Symmetry::general, false, 11 + n);
    const std::vector<T> b = multiply(A, random_vector<T>(n * 3, 7), 3);
    for (const FactorPlan& plan : {nodes_plan(Schedule::look_ahead, 3), FactorPlan{}})
      each_team({}, [&](comm::Team& team) {
        const auto outcome = run_nodes(team, A, nodes_analysis(4, 2), plan, b, 3);
        if (team.first_local() != 0) return;
        expect_small_errors(A, outcome, b, 3);
        EXPECT_EQ(outcome.stats.pivots.perturbed, 0);
      });
  }
}

TYPED_TEST(SupernodalOf, TakesEntriesByRows) {
  using T = TypeParam;
  const auto A = random_matrix<T>(80, 2, Symmetry::general, false, 31);
  const std::vector<T> b = multiply(A, random_vector<T>(A.rows, 7), 1);
  each_team({}, [&](comm::Team& team) {
    const auto outcome =
        run_nodes(team, A, nodes_analysis(5, 3), nodes_plan(Schedule::look_ahead, 2), b, 1, true);
    if (team.first_local() != 0) return;
    expect_small_errors(A, outcome, b, 1);
    EXPECT_LT(outcome.stats.most_entries_of_rank, team.size() == 1 ? A.nnz() + 1 : A.nnz());
  });
}

TYPED_TEST(SupernodalOf, DeterminantIsThatOfDenseElimination) {
  using T = TypeParam;
  for (const Index n : {1, 2, 7, 30}) {
    const auto A = random_matrix<T>(n, 2, Symmetry::general, true, 5 + n);
    const std::vector<T> b = multiply(A, random_vector<T>(n, 7), 1);
    const auto expected = dense_determinant(A);
    each_team({}, [&](comm::Team& team) {
      const auto found =
          run_nodes(team, A, nodes_analysis(3, 2), nodes_plan(Schedule::flat, 0), b, 1).determinant;
      if (team.first_local() != 0) return;
      const auto ratio = found.mantissa / expected.mantissa *
                         T(std::ldexp(Real<T>(1), static_cast<int>(found.exponent - expected.exponent)));
      EXPECT_LE(std::abs(ratio - T(1)),
                1e4 * static_cast<double>(n) * std::numeric_limits<Real<T>>::epsilon())
          << "n = " << n;
    });
  }
}

/// Diagonal, lower and upper triangular: nodes without rows, without columns, without both.
TEST(Supernodal, HasNodesWithEmptyLists) {
  const auto A = random_matrix<double>(50, 3, Symmetry::general, false, 13);
  for (const int kept : {-1, 0, 1}) {  // sign of i - j
    Triplets<double> entries{A.rows, A.cols, {}, {}, {}};
    for (Index j = 0; j < A.cols; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
        if (A.row[k] == j || (A.row[k] > j ? 1 : -1) == kept) entries.add(A.row[k], j, A.value[k]);
    const SparseMatrix<double> triangle = compress(std::move(entries)).matrix;
    const std::vector<double> b = multiply(triangle, random_vector<double>(A.rows, 7), 1);
    for (const Schedule schedule : {Schedule::flat, Schedule::pipelined, Schedule::look_ahead})
      each_team({}, [&](comm::Team& team) {
        const auto outcome =
            run_nodes(team, triangle, nodes_analysis(3, 0, Switch::off), nodes_plan(schedule, 3), b, 1);
        if (team.first_local() == 0) expect_small_errors(triangle, outcome, b, 1);
      });
  }
}

TEST(Supernodal, ZeroDiagonalsAreExchangedInsideOfSquares) {
  const auto A = zero_diagonal<double>(60, 3);  // [0 x; x 0] couples without a diagonal
  SparseMatrix<double> general = A;
  general.symmetry = Symmetry::general;
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 7), 1);
  each_team({}, [&](comm::Team& team) {
    const auto outcome = run_nodes(team, general, nodes_analysis(60, 60, Switch::off),
                                   nodes_plan(Schedule::look_ahead, 1), b, 1);
    if (team.first_local() != 0) return;
    expect_small_errors(A, outcome, b, 1);  // one node holds all: partial pivoting
    EXPECT_GT(outcome.stats.pivots.exchanged, 0);
    EXPECT_EQ(outcome.stats.pivots.perturbed, 0);
  });
}

TEST(Supernodal, SquaresThatAreZeroAreReplacedAndCounted) {
  auto A = random_matrix<double>(40, 2, Symmetry::general, false, 9);
  for (Index k = A.start[0]; k < A.start[1]; ++k)
    if (A.row[k] == 0) A.value[k] = 0;
  AnalysisPlan analysis = nodes_analysis(1, 0, Switch::off);
  analysis.ordering = Ordering::natural;
  const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 7), 1);
  each_team({}, [&](comm::Team& team) {
    const auto outcome = run_nodes(team, A, analysis, nodes_plan(Schedule::look_ahead, 2), b, 1);
    if (team.first_local() != 0) return;
    EXPECT_GE(outcome.stats.pivots.perturbed, 1);
  });
}

TEST(Supernodal, RefactorizesInTheSameMemoryWithOtherValues) {
  auto A = random_matrix<double>(90, 2, Symmetry::general, false, 21), B = A;
  Random random(4);
  for (double& value : B.value) value *= 1 + 0.3 * random.uniform(-1, 1);
  const std::vector<double> b = multiply(B, random_vector<double>(B.rows, 7), 1);
  for (const Schedule schedule : {Schedule::flat, Schedule::pipelined, Schedule::look_ahead})
    each_team({}, [&](comm::Team& team) {
      const FactorPlan plan = nodes_plan(schedule, 4);
      const Analysis analysis = team.first_local() == 0 ? analyse(A, nodes_analysis(4, 2)) : Analysis();
      std::vector<double> x(b.size()), fresh(b.size());
      team.run([&](comm::Rank& rank) {
        Supernodal<double> factors, others;
        factors.factorize(rank, &analysis, &A, plan);
        const double bytes = factors.stats().reserved_bytes;
        for (const auto* matrix : {&A, &B, &B}) factors.refactorize(rank, &analysis, matrix, plan);
        factors.solve(rank, kernels::Op::none, b.data(), x.data(), 1);
        others.factorize(rank, &analysis, &B, plan);
        others.solve(rank, kernels::Op::none, b.data(), fresh.data(), 1);
        EXPECT_EQ(factors.stats().reserved_bytes, bytes);
      });
      if (team.first_local() == 0) {
        EXPECT_EQ(x, fresh);
        EXPECT_LE(backward_error(B, x, b, 1), static_tolerance<double>(B.rows));
      }
    });
}

TEST(Supernodal, RefactorizeReplacesAPivotThatBecomesTiny) {
  SparseMatrix<double> A{2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 2, 3, 1}, Symmetry::general}, B = A;
  B.value[0] = 1e-16;
  AnalysisPlan analysis_plan = nodes_analysis(1, 0, Switch::off);
  analysis_plan.ordering = Ordering::natural;
  each_team({}, [&](comm::Team& team) {
    const Analysis analysis = team.first_local() == 0 ? analyse(A, analysis_plan) : Analysis();
    team.run([&](comm::Rank& rank) {
      Supernodal<double> factors;
      const FactorPlan plan = nodes_plan(Schedule::look_ahead, 1);
      factors.factorize(rank, &analysis, &A, plan);
      EXPECT_EQ(factors.stats().pivots.perturbed, 0);
      factors.refactorize(rank, &analysis, &B, plan);
      EXPECT_EQ(factors.stats().pivots.perturbed, 1);
    });
  });
}

/// The kind of error of a factorisation; nullopt: none.
std::optional<Status> error_of(comm::Team& team, const SparseMatrix<double>& A, const FactorPlan& plan) {
  try {
    run_nodes(team, A, nodes_analysis(3, 2, Switch::off), plan,
              std::vector<double>(static_cast<std::size_t>(A.rows), 1), 1);
  } catch (const Error& error) {
    return error.status();
  }
  return {};
}

TEST(Supernodal, EndsOnEveryRankWhenOneCancels) {
  const auto A = random_matrix<double>(100, 2, Symmetry::general, false, 3);
  for (const Schedule schedule : {Schedule::flat, Schedule::pipelined, Schedule::look_ahead})
    for (const double share : {0.0, 0.3, 0.9})
      each_team({}, [&](comm::Team& team) {
        const FactorPlan plan = nodes_plan(schedule, 4);
        const Analysis analysis = team.first_local() == 0 ? analyse(A, nodes_analysis(3, 2)) : Analysis();
        std::optional<Status> found;
        try {
          team.run([&](comm::Rank& rank) {
            Supernodal<double> factors;
            if (rank.rank() == rank.size() - 1)
              factors.set_watch({.on_progress = [&](double done) { return done <= share; }});
            factors.factorize(rank, &analysis, &A, plan);
          });
        } catch (const Error& error) {
          found = error.status();
        }
        EXPECT_EQ(found, Status::cancelled);
      });
}

TEST(Supernodal, RefusesWhatItCannotDo) {
  const auto A = random_matrix<double>(20, 2, Symmetry::general, false, 3);
  auto with_nan = A;
  with_nan.value[A.value.size() / 2] = std::numeric_limits<double>::quiet_NaN();
  FactorPlan null_pivots = nodes_plan(Schedule::flat, 0);
  null_pivots.keeps_null_pivots = true;
  const auto expect_error = [](const SparseMatrix<double>& matrix, const FactorPlan& plan, Status kind) {
    each_team({}, [&](comm::Team& team) { EXPECT_EQ(error_of(team, matrix, plan), kind); });
  };
  expect_error(A, null_pivots, Status::bad_plan);
  expect_error(A, nodes_plan(Schedule::parity, 0), Status::bad_plan);
  expect_error(A, nodes_plan(Schedule::look_ahead, 0), Status::bad_plan);
  expect_error(A, nodes_plan(Schedule::flat, 0, {5, 7}), Status::bad_plan);
  expect_error(with_nan, nodes_plan(Schedule::look_ahead, 1), Status::bad_input);
}

}  // namespace
}  // namespace overlapack::sparse::testing
