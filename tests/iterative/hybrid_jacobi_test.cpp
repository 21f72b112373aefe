#include "comm/collective/collective.hpp"
#include "comm/wrap/checked.hpp"
#include "cube_twin.hpp"
#include "engine.hpp"
#include "iterative/driver/iterate.hpp"
#include "iterative/jacobi/matrix_block.hpp"
#include "meet.hpp"
#include "random_system.hpp"

/// Threads in a process share its unknowns, channels lie between ranks: workers take slices of the sweeps.
namespace overlapack::comm::conformance {
namespace {

using iterative::IterationPlan;
using iterative::IterationResult;
using iterative::Variant;

template <class Solve>
std::int64_t once(Rank& engine, std::uint64_t seed, Variant variant, Solve solve) {
  CheckedRank rank(engine, {.seed = seed, .delay = 0.3});
  const IterationResult<double> result =
      solve(rank, {.variant = variant, .tolerance = 1e-7, .max_iterations = 100000, .residual_period = 5});
  EXPECT_TRUE(result.has_converged);
  EXPECT_LE(result.residual, 1e-7);
  EXPECT_GE(result.slices, 8 * result.iterations);
  const std::int64_t by_others = collective::all_reduce(rank, result.slices_by_others, std::plus<>());
  collective::barrier(rank);
  return by_others;
}

/// Solve with each variant under delays, again until workers have taken slices of some rank: how soon that is belongs to
/// the system.
template <class Solve>
void until_workers_help(Solve solve) {
  each_team({.workers = workers(2)}, [&](Team& team) {
    team.run([&](Rank& engine) {
      std::uint64_t seed = 1;
      for (const Variant variant : {Variant::sync, Variant::async, Variant::racy})
        for (std::int64_t by_others = 0; by_others == 0;) {
          by_others = once(engine, seed++, variant, solve);
          meet(engine);
          if (workers(1) == 0) break;
        }
    });
  });
}

TEST(HybridJacobi, Stencil) {
  until_workers_help([](Rank& rank, const IterationPlan& plan) {
    const iterative::StencilProblem problem{.points = 8, .grid = dist::cubic_grid(rank.size())};
    iterative::StencilBlock block(problem, rank.rank());
    block.cut_into(8);
    auto result = iterative::iterate(rank, block, plan);
    CubeTwin twin(problem);
    twin.take(collected(rank, block, result.x));
    EXPECT_NEAR(result.residual, twin.residual(), 1e-13);
    return result;
  });
}

TEST(HybridJacobi, Matrix) {
  const SparseMatrix<double> A = random_matrix<double>(400, 1.1, 91);
  const std::vector<double> b(400, 1.0);
  until_workers_help([&](Rank& rank, const IterationPlan& plan) {
    const bool is_root = rank.rank() == 0;
    iterative::MatrixBlock<double> block(rank, is_root ? &A : nullptr, distributed(400, rank.size(), 92));
    block.cut_into(8);
    block.distribute_source(rank, is_root ? b.data() : nullptr);
    auto result = iterative::iterate(rank, block, plan);
    const std::vector<double> x = block.gather_on_root(rank, result.x);
    if (is_root) {
      EXPECT_NEAR(result.residual, relative_residual(A, x, b), 1e-11);
    }
    return result;
  });
}

/// In step, whoever does a slice: bit by bit the same.
TEST(HybridJacobi, SlicesChangeNothing) {
  each_team({.workers = workers(2)}, [](Team& team) {
    team.run([](Rank& rank) {
      const iterative::StencilProblem problem{.points = 5, .grid = dist::cubic_grid(rank.size())};
      std::vector<std::vector<double>> x;
      for (const std::size_t slices : {1, 3, 20}) {
        iterative::StencilBlock block(problem, rank.rank());
        block.cut_into(slices);
        EXPECT_EQ(block.slices(rank), slices);
        const IterationPlan plan{
            .variant = Variant::sync, .tolerance = 0, .max_iterations = 20, .residual_period = 20};
        x.push_back(collected(rank, block, iterative::iterate(rank, block, plan).x));
      }
      EXPECT_EQ(x[0], x[1]);
      EXPECT_EQ(x[0], x[2]);
    });
  });
}

/// Slices of 0.1 ms where workers are there to take them, of 1 ms for polls alone.
TEST(HybridJacobi, SlicesAreFinerForWorkers) {
  for (const int count : {0, workers(2)})
    each_team({.workers = count}, [&](Team& team) {
      team.run([&](Rank& rank) {
        const iterative::StencilBlock block({.points = 100, .grid = {1, 1, rank.size()}}, rank.rank());
        EXPECT_EQ(block.slices(rank), count > 0 ? 10u : 1u);
      });
    });
}

}  // namespace
}  // namespace overlapack::comm::conformance
