#include "cube_twin.hpp"
#include "fault_sweep.hpp"
#include "group_runs.hpp"
#include "iterative/jacobi/matrix_block.hpp"

#include <vector>

/// Iterations in step, asynchronous and racy, when any one call or allocation of a rank fails.
namespace overlapack::comm::conformance {
namespace {

using iterative::Variant;
using overlapack::testing::FaultOf;
using overlapack::testing::on_faulty_teams;
using overlapack::testing::RankWork;
using overlapack::testing::slow_each_rank;
using overlapack::testing::sweep_faults;

constexpr double tolerance = 1e-6;

IterationPlan plan_of(Variant variant) {
  return {.variant = variant, .in_flight = 2, .tolerance = tolerance, .residual_period = 4};
}

RankWork on_a_matrix(Variant variant) {
  return [variant](Rank& rank) {
    constexpr Index n = 12;
    const SparseMatrix<double> A = random_matrix<double>(n, 3, 11);
    const std::vector<double> b(n, 1.0);
    iterative::MatrixBlock<double> block(rank, rank.rank() == 0 ? &A : nullptr,
                                         distributed(n, rank.size(), 13));
    block.distribute_source(rank, rank.rank() == 0 ? b.data() : nullptr);
    const auto result = iterate(rank, block, plan_of(variant));
    const std::vector<double> x = block.gather_on_root(rank, result.x);
    EXPECT_TRUE(result.has_converged);
    if (rank.rank() == 0) {
      EXPECT_LE(relative_residual(A, x, b), tolerance * (1 + 1e-6));
    }
  };
}

RankWork on_a_stencil(Variant variant) {
  return [variant](Rank& rank) {
    const iterative::StencilProblem problem{.points = 2, .grid = {1, 1, rank.size()}, .shift = 1};
    const iterative::StencilBlock block(problem, rank.rank());
    const auto result = iterate(rank, block, plan_of(variant));
    EXPECT_TRUE(result.has_converged);
    CubeTwin twin(problem);
    twin.take(collected(rank, block, result.x));
    EXPECT_LE(twin.residual(), tolerance * (1 + 1e-6));
  };
}

/// inner: as in group_runs.hpp
RankWork on_blocks(Variant variant, int ranks_per_block, int inner_number) {
  return [=](Rank& rank) {
    constexpr Index n = 24;
    const int g = rank.size() % ranks_per_block == 0 ? ranks_per_block : 1;
    const SparseMatrix<double> A = positive_matrix<double>(n, 51);
    const std::vector<double> b(n, 1.0);
    SparseFigures figures;
    const auto run = run_groups<double>(rank, g, A, b, distributed(n, rank.size() / g, 53), {.overlap = 1},
                                        inner<double>(inner_number, figures), plan_of(variant));
    if (rank.rank() == 0) {
      EXPECT_LE(relative_residual(A, run.x, b), tolerance * (1 + 1e-6));
    }
  };
}

std::vector<RankWork> works() {
  using enum Variant;
  return {on_a_matrix(sync),      on_a_matrix(async),    on_a_matrix(racy),     on_a_stencil(sync),
          on_a_stencil(async),    on_a_stencil(racy),    on_blocks(sync, 1, 1), on_blocks(async, 2, 1),
          on_blocks(async, 1, 0), on_blocks(sync, 2, 0), on_blocks(async, 2, 2)};
}

void sweep_each_work(FaultOf fault) {
  const std::vector<RankWork> all = works();
  for (std::size_t number = 0; number < all.size(); ++number)
    on_faulty_teams({4}, [&](Team& team) {
      const int failing = number % 2 == 0 ? 0 : team.size() - 1;
      EXPECT_GT(sweep_faults(team, fault, failing, all[number]), 20) << "work " << number;
    });
}

TEST(IterativeFaults, AnyFailingCallEndsAllRanks) { sweep_each_work(FaultOf::call); }
TEST(IterativeFaults, AnyFailingAllocationEndsAllRanks) { sweep_each_work(FaultOf::allocation); }

TEST(IterativeFaults, ASlowRankChangesNothing) {
  for (const RankWork& work : works()) on_faulty_teams({4}, [&](Team& team) { slow_each_rank(team, work); });
}

}  // namespace
}  // namespace overlapack::comm::conformance
