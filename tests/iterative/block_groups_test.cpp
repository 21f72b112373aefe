#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "engine.hpp"
#include "group_runs.hpp"
#include "meet.hpp"
#include "overlapack/generate.hpp"
#include "overlapack/iterative.hpp"

#include <array>
#include <limits>

/// Multisplitting whose blocks belong to groups of ranks: the same iteration as with a rank a block, however late messages
/// are; what goes wrong in a group ends everybody.
namespace overlapack::comm::conformance {
namespace {

using iterative::Variant;

std::vector<int> group_sizes(const Rank& rank) {
  std::vector<int> sizes;
  for (const int g : {1, 2, 3, rank.size()})
    if (rank.size() % g == 0 && (sizes.empty() || sizes.back() < g)) sizes.push_back(g);
  return sizes;
}

template <class T>
void like_the_twin() {
  const SparseMatrix<T> A = positive_matrix<T>(40, 51);
  Random random(52);
  std::vector<T> b;
  for (int i = 0; i < 40; ++i) b.push_back(random_number<T>(random));
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  on_each_team([&](Rank& rank) {
    for (const int g : group_sizes(rank))
      for (int number = 0; number < inners; ++number) {
        const int blocks = rank.size() / g;
        const std::vector<int> block_of = distributed(40, blocks, 53);
        const int steps = blocks == 1 ? 1 : 3;
        SparseFigures figures;
        const auto run = run_groups<T>(
            rank, g, A, b, block_of, {.overlap = 1}, inner<T>(number, figures),
            {.variant = Variant::sync, .tolerance = 0, .max_iterations = steps, .residual_period = 1});
        EXPECT_EQ(run.served, rank.rank() % g == 0 ? 0 : steps);
        EXPECT_EQ(figures.fronts > 0, number > 0 && rank.rank() % g == 0);
        if (rank.rank() != 0) continue;
        const std::vector<T> x = schwarz_twin(A, b, block_of, blocks, {.overlap = 1}, steps);
        // each solve: ||B^-1||_oo <= 2 as in Gradients
        for (std::size_t i = 0; i < x.size(); ++i)
          EXPECT_LE(std::abs(run.x[i] - x[i]), steps * 2e4 * eps) << g << " ranks a block, inner " << number;
      }
  });
}
TEST(BlockGroups, FloatIsTheTwin) { like_the_twin<float>(); }
TEST(BlockGroups, DoubleIsTheTwin) { like_the_twin<double>(); }
TEST(BlockGroups, ComplexDoubleIsTheTwin) { like_the_twin<std::complex<double>>(); }

/// One run, its messages late and overtaking in the whole team, among the leaders and in the groups.
void run_late(Rank& engine, int g, const SparseMatrix<double>& A, Variant variant, int number) {
  CheckedRank rank(engine, {.seed = 60 + static_cast<std::uint64_t>(g), .delay = 0.5});
  std::vector<int> block_of;  // slabs
  for (Index i = 0; i < A.rows; ++i) block_of.push_back(static_cast<int>(i * (rank.size() / g) / A.rows));
  SparseFigures figures;
  const auto run = run_groups<double>(
      rank, g, A, std::vector<double>(static_cast<std::size_t>(A.rows), 1.0), block_of, {.overlap = 2},
      inner<double>(number, figures),
      {.variant = variant, .tolerance = 1e-8, .max_iterations = 20000, .residual_period = 1});
  const bool is_leader = rank.rank() % g == 0;
  EXPECT_EQ(run.served > 0, !is_leader);
  if (is_leader) {
    EXPECT_TRUE(run.result.has_converged) << g << " ranks a block, n = " << A.rows;
    EXPECT_LE(run.result.residual, 1e-8);
  }
  collective::barrier(rank);
}

TEST(BlockGroups, UnderDelays) {
  const std::array<std::string_view, 3> kinds{"cube", "convection", "elasticity"};
  for (const std::string_view kind : kinds) {
    const SparseMatrix<double> A = sparse::generate(kind, kind == "elasticity" ? 2 : 4);
    for (const Variant variant : {Variant::sync, Variant::async, Variant::racy})
      on_each_team([&](Rank& engine) {
        for (const int g : group_sizes(engine)) {
          const int turn = static_cast<int>(variant);
          run_late(engine, g, A, variant, kind == "convection" ? 1 + turn % 2 : turn);
          meet(engine);
        }
      });
  }
}

/// A block that is singular at its end: A(S, S) of the last rows is a permutation with two equal rows.
SparseMatrix<double> with_singular_end(Index n, Index from) {
  SparseMatrix<double> A = positive_matrix<double>(n, 71);
  for (Index j = 0; j < n; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      if (A.row[p] >= from && j >= from) A.value[p] = 0;
  return A;
}

TEST(BlockGroups, ASingularBlockIsOneErrorForAll) {
  each_team({}, [](Team& team) {
    if (team.size() % 2 != 0) return;
    const int blocks = team.size() / 2;
    try {
      team.run([&](Rank& rank) {
        const Index n = 40, from = n - n / blocks;
        SparseMatrix<double> A = with_singular_end(n, blocks > 1 ? from : n / 2);
        A.symmetry = Symmetry::general;
        std::vector<int> block_of;
        for (Index i = 0; i < n; ++i) block_of.push_back(static_cast<int>(i * blocks / n));
        SparseFigures figures;
        run_groups<double>(rank, 2, A, std::vector<double>(40, 1.0), block_of, {.overlap = 0},
                           inner<double>(1, figures), {.variant = Variant::async});
      });
      if (blocks > 1) ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::singular) << e.what();
      const std::string ranks =
          "ranks " + std::to_string(team.size() - 2) + " to " + std::to_string(team.size() - 1);
      EXPECT_NE(std::string(e.what()).find(ranks), std::string::npos) << e.what();
    }
  });
}

/// One call after the other fails, of a leader and of a rank that serves; every run ends with that error, or without.
TEST(BlockGroups, AnyFailingCallEndsAllRanks) {
  const SparseMatrix<double> A = positive_matrix<double>(24, 81);
  const std::vector<double> b(24, 1.0);
  each_team({.watchdog_s = 20}, [&](Team& team) {
    if (team.size() % 2 != 0) return;
    const int blocks = team.size() / 2;
    for (const Variant variant : {Variant::sync, Variant::async}) {
      if (variant == Variant::sync && !is_thread()) continue;
      for (const int failing : {0, team.size() - 1})
        for (const int number : {0, 2}) {
          Index failed = 0;
          bool is_over = false;
          for (std::int64_t k = 0; !is_over; k += 1 + k / (is_thread() ? 8 : 2)) try {
              team.run([&](Rank& engine) {
                CheckedRank rank(engine,
                                 {.seed = 5, .delay = 0, .throw_at_call = engine.rank() == failing ? k : -1});
                SparseFigures figures;
                run_groups<double>(rank, 2, A, b, distributed(24, blocks, 82), {.overlap = 1},
                                   inner<double>(number, figures),
                                   {.variant = variant, .tolerance = 1e-6, .residual_period = 1});
                collective::barrier(rank);
              });
              is_over = true;
            } catch (const Error& e) {
              EXPECT_EQ(e.status(), Status::internal) << "at " << k << ": " << e.what();
              ++failed;
            }
          EXPECT_GT(failed, 10);
        }
    }
  });
}

Options options_of(int ranks, int ranks_per_block) {
  Options options;
  options.run.engine = choice_named<Engine>(setup().engine);
  options.ranks = is_thread() ? ranks : 0;
  options.multisplitting.ranks_per_block = ranks_per_block;
  options.method = Method::multisplitting;
  options.iteration = {.variant = Variant::sync, .tolerance = 1e-10};
  return options;
}

/// What users call, on threads beside a rank a block.
TEST(BlockGroups, TheSameAnswerAsWithARankABlock) {
  const SparseMatrix<double> A = sparse::generate("cube", 8);
  const std::vector<double> b(static_cast<std::size_t>(2 * A.rows), 1.0);
  for (const int size : setup().sizes) {
    const int ranks = is_thread() ? size : open({.engine = "mpi", .ranks = 0})->size();
    if (ranks % 2 != 0) continue;
    for (const InnerSolve inner : {InnerSolve::direct, InnerSolve::conjugate_gradients}) {
      Options options = options_of(ranks, 2);
      options.multisplitting.inner = inner;
      options.fronts = {.sharing = NodeParallelism::strips, .strip_border = 1};
      auto iteration = iterative::iteration(A, options);
      auto [x, report] = iteration.solve(b, 2);
      EXPECT_EQ(report.status, Status::ok);
      EXPECT_EQ(report.iteration->ranks_per_block, 2);
      EXPECT_EQ(report.iteration->iterations_of_rank.size(), static_cast<std::size_t>(ranks / 2));
      EXPECT_GT(report.iteration->group_solves, 0);
      EXPECT_LE(report.true_residual, 1e-10);
      EXPECT_EQ(report.factor_nnz > 0, inner == InnerSolve::direct);
      EXPECT_EQ(iteration.solve(b, 2).x, x);  // with the same factors
      if (!is_thread()) continue;
      // both ranks of a group have fronts, and tell each other parts of vectors in a solve
      EXPECT_EQ(std::ranges::any_of(report.messages_of_kind,
                                    [](const KindTraffic& t) { return t.kind == "vector part"; }),
                inner == InnerSolve::direct);
      Options alone = options_of(ranks / 2, 1);
      alone.multisplitting.inner = inner;
      const auto expected = iterative::iteration(A, alone).solve(b, 2);
      EXPECT_EQ(report.iterations_max, expected.report.iterations_max);
      EXPECT_EQ(expected.report.iteration->group_solves, 0);
      EXPECT_EQ(report.iteration->block_rows, expected.report.iteration->block_rows);
      // two solutions whose residuals are below the tolerance; ||A^-1|| ||b|| <= sqrt(2 n) / 0.36, the cube's smallest eigenvalue
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(x[i], expected.x[i], 2 * 1e-10 * std::sqrt(double(b.size())) / 0.36);
    }
  }
}

TEST(BlockGroups, RanksThatMakeNoGroups) {
  for (const int size : setup().sizes) {
    const int ranks = is_thread() ? size : open({.engine = "mpi", .ranks = 0})->size();
    try {
      iterative::iteration(sparse::generate("cube", 3), options_of(ranks, ranks + 1));
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), Status::bad_plan);
      EXPECT_NE(std::string(e.what()).find("divides"), std::string::npos) << e.what();
    }
  }
  Options jacobi = options_of(2, 2);
  jacobi.method = Method::jacobi;
  EXPECT_THROW(iterative::iteration(sparse::generate("cube", 3), jacobi), Error);
}

}  // namespace
}  // namespace overlapack::comm::conformance
