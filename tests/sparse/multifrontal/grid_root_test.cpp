#include "factor_answers.hpp"
#include "problems.hpp"

/// The root that all ranks factorise together: kinds x types x ranks x plans, on whichever engine the test was started with.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class GridRootOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(GridRootOf, Types);

AnalysisPlan natural(FactorKind kind) {
  AnalysisPlan plan = without_matching(kind);
  plan.ordering = Ordering::natural;
  return plan;
}

/// Fronts whole or in strips, the root on a grid.
std::vector<FactorPlan> grid_plans() {
  FactorPlan whole = stress_plan(comm::ReceiveMode::immediate, 1);
  whole.fronts.root = {.root = RootParallelism::grid, .block = 2};
  return {whole, root_plan(comm::ReceiveMode::immediate, 4), late_root_plan(comm::ReceiveMode::immediate),
          late_root_plan(comm::ReceiveMode::probe)};
}

/// One front alone: entries (i, j) for 0 <= i, j < n.
template <class F>
SparseMatrix<double> full_matrix(Index n, F&& value) {
  Triplets<double> entries;
  entries.rows = entries.cols = n;
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) entries.add(i, j, value(i, j));
  return compress(std::move(entries)).matrix;
}

TYPED_TEST(GridRootOf, LuWithPivotsDelayedIntoTheRoot) {
  constexpr Index n = 16, nrhs = 3;
  const auto A = zero_arrow<TypeParam>(n);  // no pivot before the border, which is the root
  const auto b = multiply(A, random_vector<TypeParam>(2 * n * nrhs, 7), nrhs);
  for (const auto& plan : grid_plans())
    each_team({}, [&](comm::Team& team) {
      const auto outcome = run(team, A, natural(FactorKind::lu), plan, b, nrhs);
      if (team.first_local() != 0) return;
      EXPECT_LE(backward_error(A, outcome.x, b, nrhs), tolerance<TypeParam>(A.rows));
      EXPECT_EQ(outcome.stats.grid_roots, team.size() > 1 ? 1 : 0);
      EXPECT_EQ(outcome.stats.delayed_to_grid > 0, team.size() > 1);
    });
}

TYPED_TEST(GridRootOf, PivotsOfStripsDelayedIntoTheRoot) {
  Index delayed = 0;
  int most_ranks = 0;
  each_team({}, [&](comm::Team& team) {
    most_ranks = std::max(most_ranks, team.size());
    for (const int points : {5, 6}) {
      const auto A = weak_cube<TypeParam>(points);
      const auto b = multiply(A, random_vector<TypeParam>(2 * A.rows, 7), 2);
      AnalysisPlan analysis;
      analysis.matching = Switch::off;
      const auto outcome = run(team, A, analysis, root_plan(comm::ReceiveMode::immediate, 3), b, 2);
      const FactorStats counts = outcome.stats;
      if (counts.delayed_from_strips > 0) delayed += counts.delayed_to_grid;
      if (team.first_local() != 0) continue;
      EXPECT_LE(backward_error(A, outcome.x, b, 2), tolerance<TypeParam>(A.rows));
      EXPECT_EQ(outcome.stats.grid_roots, team.size() > 1 ? 1 : 0);
      EXPECT_EQ(outcome.stats.pieces > 0, team.size() > 1);
    }
  });
  EXPECT_EQ(delayed > 0, most_ranks > 1);
}

TYPED_TEST(GridRootOf, Cholesky) {
  const SparseMatrix<TypeParam> A = cube_of<TypeParam>(5);
  AnalysisPlan analysis;
  analysis.kind = FactorKind::cholesky;
  const auto b = multiply(A, random_vector<TypeParam>(3 * A.rows, 7), 3);
  for (const auto& plan : grid_plans())
    each_team({}, [&](comm::Team& team) {
      const auto outcome = run(team, A, analysis, plan, b, 3);
      if (team.first_local() != 0) return;
      EXPECT_LE(backward_error(A, outcome.x, b, 3), tolerance<TypeParam>(A.rows));
      EXPECT_EQ(outcome.stats.grid_roots, team.size() > 1 ? 1 : 0);
    });
}

/// Symmetric and Hermitian, with pivots that strips, and fronts that are whole, delay into the root.
TYPED_TEST(GridRootOf, LdltByLu) {
  using T = TypeParam;
  const auto hermitian = random_matrix<T>(60, 3, Symmetry::hermitian, true, 5);
  std::vector<SparseMatrix<T>> matrices{weak_cube<T>(5), zero_arrow<T>(12), hermitian};
  matrices.push_back(random_matrix<T>(1, 3, Symmetry::symmetric, false, 6));
  Index delayed = 0, from_strips = 0;
  int most_ranks = 0;
  for (const SparseMatrix<T>& A : matrices) {
    const auto b = multiply(A, random_vector<T>(3 * A.rows, 7), 3);
    for (const auto& plan : grid_plans())
      each_team({}, [&](comm::Team& team) {
        most_ranks = std::max(most_ranks, team.size());
        const auto outcome = run(team, A, natural(FactorKind::ldlt), plan, b, 3);
        const FactorStats counts = outcome.stats;
        delayed += counts.delayed_to_grid;
        from_strips += counts.delayed_from_strips;
        if (team.first_local() != 0) return;
        EXPECT_LE(backward_error(A, outcome.x, b, 3), tolerance<T>(A.rows)) << A.rows;
        EXPECT_EQ(counts.grid_roots, team.size() > 1 ? 1 : 0);
      });
  }
  EXPECT_EQ(delayed > 0, most_ranks > 1);
  EXPECT_EQ(from_strips > 0, most_ranks > 1);
}

TYPED_TEST(GridRootOf, RandomMatrices) {
  const FactorPlan plan = root_plan(comm::ReceiveMode::probe, 1);
  for (const Index n : {1, 2, 3, 10, 60}) {
    const auto A = random_matrix<TypeParam>(n, 3, Symmetry::general, false, 11 + n);
    const auto b = multiply(A, random_vector<TypeParam>(n, 7), 1);
    each_team({}, [&](comm::Team& team) {
      const auto outcome = run(team, A, {}, plan, b, 1);
      if (team.first_local() != 0) return;
      EXPECT_LE(backward_error(A, outcome.x, b, 1), tolerance<TypeParam>(n)) << "n = " << n;
      EXPECT_EQ(outcome.stats.grid_roots, team.size() > 1 ? 1 : 0);
    });
  }
}

TYPED_TEST(GridRootOf, TransposedSolvesAndDeterminants) {
  using T = TypeParam;
  const FactorPlan plan = root_plan(comm::ReceiveMode::immediate, 4);
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
    const auto A = kind == FactorKind::lu     ? random_matrix<T>(50, 3, Symmetry::general, true, 9)
                   : kind == FactorKind::ldlt ? random_matrix<T>(50, 3, Symmetry::hermitian, true, 9)
                                              : cube_of<T>(3);
    AnalysisPlan analysis_plan;
    analysis_plan.kind = kind;
    expect_answers(A, analysis_plan, plan, 2, [](comm::Rank&, const Multifrontal<T>&) {});
  }
}

TEST(GridRoot, AutoTakesLargeRootsOfDistributedFronts) {
  const auto A = cube_of<double>(5);
  const auto b = random_vector<double>(A.rows, 1);
  AnalysisPlan ldlt;
  ldlt.kind = FactorKind::ldlt;
  each_team({}, [&](comm::Team& team) {
    const auto roots = [&](NodeParallelism fronts, Index least_order, const AnalysisPlan& analysis) {
      FactorPlan plan = strips_plan(comm::ReceiveMode::immediate, 4);
      plan.fronts.strips.sharing = fronts;
      plan.fronts.root = {.order = least_order, .block = 2};
      return run(team, A, analysis, plan, b, 1).stats.grid_roots;
    };
    const bool are_several = team.size() > 1;
    const Index distributed = roots(NodeParallelism::strips, 3, {}),
                small = roots(NodeParallelism::strips, 1000, {}),
                whole = roots(NodeParallelism::slices, 3, {}),
                symmetric = roots(NodeParallelism::strips, 3, ldlt);
    if (team.first_local() != 0) return;
    EXPECT_EQ(distributed, are_several);
    EXPECT_EQ(small, 0);
    EXPECT_EQ(whole, 0);
    EXPECT_EQ(symmetric, 0);
  });
}

// Pieces of the root that come before its description are kept even where all other early messages wait for late ones.
TEST(GridRoot, GoesWithWaitingForLateMessages) {
  const auto A = weak_cube<double>(6);
  const auto b = random_vector<double>(A.rows, 1);
  AnalysisPlan analysis;
  analysis.matching = Switch::off;
  Index pieces = 0;
  int most_ranks = 0;
  for (const auto receive : {comm::ReceiveMode::immediate, comm::ReceiveMode::probe})
    each_team({}, [&](comm::Team& team) {
      most_ranks = std::max(most_ranks, team.size());
      const auto outcome = run(team, A, analysis, late_root_plan(receive), b, 1);
      const FactorStats counts = outcome.stats;
      pieces += counts.pieces;
      EXPECT_EQ(counts.grid_roots, team.size() > 1 ? 1 : 0);
      if (team.first_local() != 0) return;
      EXPECT_LE(backward_error(A, outcome.x, b, 1), tolerance<double>(A.rows));
    });
  EXPECT_EQ(pieces > 0, most_ranks > 1);
}

TEST(GridRoot, LdltOfKnownSignsIsRefused) {
  const auto A = cube_of<double>(4);
  AnalysisPlan analysis;
  analysis.kind = FactorKind::ldlt;
  analysis.signs.assign(static_cast<std::size_t>(A.rows), 1);
  each_team({}, [&](comm::Team& team) {
    try {
      run(team, A, analysis, root_plan(comm::ReceiveMode::immediate, 4), random_vector<double>(A.rows, 1), 1);
      ADD_FAILURE() << "a root on a grid passed, where signs are not looked at";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::bad_plan) << error.what();
    }
  });
}

TEST(GridRoot, OnlyTheLargestOfSeveralRoots) {
  const auto cube = cube_of<double>(5);  // beside it small chains
  Triplets<double> entries;
  entries.rows = entries.cols = cube.rows + 40;
  for (Index j = 0; j < cube.cols; ++j)
    for (Index k = cube.start[j]; k < cube.start[j + 1]; ++k) entries.add(cube.row[k], j, cube.value[k]);
  for (Index j = cube.rows; j < entries.rows; ++j) {
    entries.add(j, j, 3);
    if (j % 4 != 0) entries.add(j, j - (j % 4), 1), entries.add(j - (j % 4), j, 1);
  }
  const auto A = compress(std::move(entries)).matrix;
  const auto b = random_vector<double>(A.rows, 1);
  for (const auto& plan : grid_plans())
    each_team({}, [&](comm::Team& team) {
      const auto outcome = run(team, A, {}, plan, b, 1);
      if (team.first_local() != 0) return;
      EXPECT_LE(backward_error(A, outcome.x, b, 1), tolerance<double>(A.rows));
      EXPECT_EQ(outcome.stats.grid_roots, team.size() > 1 ? 1 : 0);
    });
}

TEST(GridRoot, SameRanksSameBits) {
  const auto A = weak_cube<double>(5);
  const auto b = random_vector<double>(A.rows, 1);
  AnalysisPlan analysis;
  analysis.matching = Switch::off;
  FactorPlan plan = root_plan(comm::ReceiveMode::immediate, 4);
  plan.fronts.strips.choice = StripChoice::fixed;
  each_team({}, [&](comm::Team& team) {
    const auto first = run(team, A, analysis, plan, b, 1);
    for (int again = 0; again < 4; ++again) EXPECT_EQ(first.x, run(team, A, analysis, plan, b, 1).x);
  });
}

std::string message_of(comm::Team& team, const SparseMatrix<double>& A, const AnalysisPlan& analysis,
                       const FactorPlan& plan) {
  try {
    run(team, A, analysis, plan, random_vector<double>(A.rows, 1), 1);
  } catch (const Error& error) {
    return error.what();
  }
  return "solved";
}

TEST(GridRoot, FailuresReadAsOnOneRank) {
  constexpr Index n = 9;
  const auto ones = full_matrix(n, [](Index, Index) { return 1.0; });
  auto indefinite = full_matrix(n, [](Index i, Index j) { return i == j && i != 5 ? 2.0 * n : 1.0; });
  indefinite.value[static_cast<std::size_t>(5 * n + 5)] = -1;
  indefinite.symmetry = Symmetry::symmetric;
  const auto huge =
      full_matrix(n, [](Index i, Index j) { return i == j || (i + j) % 3 == 0 ? 1e308 : -1e308; });
  each_team({}, [&](comm::Team& team) {
    for (auto plan : grid_plans()) {
      plan.refuses_rounding = true;
      FactorPlan sequential = plan;
      sequential.fronts.root.root = RootParallelism::sequential;
      const auto same = [&](const SparseMatrix<double>& A, FactorKind kind) {
        const std::string message = message_of(team, A, natural(kind), plan);
        EXPECT_NE(message, "solved");
        EXPECT_EQ(message, message_of(team, A, natural(kind), sequential));
      };
      same(ones, FactorKind::lu);
      AnalysisPlan unscaled = natural(FactorKind::lu);
      unscaled.scaling = ScalingKind::off;
      EXPECT_NE(message_of(team, huge, unscaled, plan).find("numbers left the range"), std::string::npos);
      same(indefinite, FactorKind::cholesky);
    }
  });
}

TEST(GridRoot, APivotOfRoundingIsReported) {
  // rows of a magic square: singular, but no pivot is exactly zero
  const auto A = full_matrix(4, [](Index i, Index j) {
    constexpr double magic[] = {16, 5, 9, 4, 2, 11, 7, 14, 3, 10, 6, 15, 13, 8, 12, 1};
    return magic[i + 4 * j] / 34.1;
  });
  each_team({}, [&](comm::Team& team) {
    for (auto plan : grid_plans()) {
      plan.refuses_rounding = true;
      EXPECT_NE(message_of(team, A, natural(FactorKind::lu), plan).find("numerically singular"),
                std::string::npos);
    }
  });
}

/// A full symmetric matrix, two of whose rows and columns repeat those before; their diagonal entries differ by `gap`.
template <class T>
SparseMatrix<T> with_two_repeated(Index n, Real<T> gap) {
  Random random(3);
  std::vector<T> values(static_cast<std::size_t>(n * n));
  for (T& value : values) value = random_value<T>(random);
  Triplets<T> entries;
  entries.rows = entries.cols = n;
  const auto like = [&](Index k) { return k == 7 || k == n - 2 ? k - 1 : k; };
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const auto [low, high] = std::minmax({like(i), like(j)});
      entries.add(i, j,
                  values[static_cast<std::size_t>(low * n + high)] + T(i == j && like(i) != i ? gap : 0));
    }
  return compress(std::move(entries)).matrix;
}

/// Static pivoting: pivots that are zero or rounding grow as on one rank. They are counted, and not as rounding. By partial pivoting a
/// good row may go with a zero, and be missing later: up to two for each that is lacking.
TYPED_TEST(GridRootOf, PerturbationReplacesPivotsOfTheRoot) {
  using T = TypeParam;
  constexpr Real<T> eps = std::numeric_limits<Real<T>>::epsilon();
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
    for (const Real<T> gap : {Real<T>(0), 4 * eps}) {
      auto A = with_two_repeated<T>(24, gap);
      A.symmetry = kind == FactorKind::lu ? Symmetry::general : Symmetry::symmetric;
      const auto b = multiply(A, random_vector<T>(A.rows, 7), 1);
      for (auto plan : grid_plans())
        each_team({}, [&](comm::Team& team) {
          plan.perturbation = std::sqrt(eps);
          FactorPlan sequential = plan;
          sequential.fronts.root.root = RootParallelism::sequential;
          for (const FactorPlan* each : {&plan, &sequential}) {
            const auto outcome = run(team, A, natural(kind), *each, b, 1);
            if (team.first_local() != 0) continue;
            EXPECT_EQ(outcome.stats.grid_roots, each == &plan && team.size() > 1 ? 1 : 0);
            EXPECT_GE(outcome.stats.pivots.perturbed, 2);
            EXPECT_LE(outcome.stats.pivots.perturbed, outcome.stats.grid_roots > 0 ? 4 : 2);
            EXPECT_EQ(outcome.stats.pivots.rounding + outcome.stats.pivots.zero, 0);
            // a column of A has changed by no more than the replacement
            EXPECT_LE(backward_error(A, outcome.x, b, 1), 2 * std::sqrt(eps));
          }
        });
    }
}

TEST(GridRoot, CancelledInsideTheRoot) {
  const auto A = full_matrix(40, [](Index i, Index j) { return i == j ? 50.0 : 1.0; });
  each_team({}, [&](comm::Team& team) {
    const FactorPlan plan = root_plan(comm::ReceiveMode::immediate, 1);
    const FactorWatch watch{
        .on_progress = [](double share) { return share <= 0.3; }};  // there is nothing but a root
    try {
      run(team, A, natural(FactorKind::lu), plan, random_vector<double>(A.rows, 1), 1, false, watch);
      EXPECT_EQ(team.size(), 1) << "a cancelled factorisation returned";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), Status::cancelled) << error.what();
    }
  });
}

}  // namespace
}  // namespace overlapack::sparse::testing
