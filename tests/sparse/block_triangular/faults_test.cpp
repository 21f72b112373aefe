#include "sparse/multifrontal/faults.hpp"

#include "block_problems.hpp"

/// Factors by diagonal blocks when messages come late and in other orders, and when any one call or allocation of a rank fails.
namespace overlapack::sparse::testing {
namespace {

Problem problem(const AnalysisPlan& plan) {
  Problem p;
  p.A = shuffled_blocks<double>({1, 6, 1, 2, 9}, 5);
  p.analysis = analyse(p.A, plan);
  p.b = multiply(p.A, random_vector<double>(p.A.rows, 7), 1);
  return p;
}

RankWork solves(const Problem& p) {
  return factorize_and_solve(p, FactorPlan{}, tolerance<double>(p.A.rows),
                             [] { return BlockTriangular<double>(make_factors<double>); });
}

TEST(BlockFaults, LateAndOvertakenMessagesChangeNothing) {
  std::int64_t delayed = 0;
  for (const AnalysisPlan& analysis_plan : {by_blocks(), mixed(), by_fronts()}) {
    const Problem p = problem(analysis_plan);
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
      on_faulty_teams({2, 3, 4}, [&](comm::Team& team) {
        std::vector<std::int64_t> late(static_cast<std::size_t>(team.size()));
        team.run([&](comm::Rank& engine) {
          comm::CheckedRank rank(engine, {.seed = seed});
          solves(p)(rank);
          comm::collective::barrier(rank);
          late[static_cast<std::size_t>(rank.rank())] = rank.delayed();
        });
        for (const std::int64_t count : late) delayed += count;
      });
  }
  EXPECT_GT(delayed, 0);
}

/// On rank 0, which factorises blocks of little fill alone, and on the last, which then only takes part.
void sweep_each_plan(FaultOf fault) {
  for (const AnalysisPlan& analysis_plan : {by_blocks(), mixed(), by_fronts()}) {
    const Problem p = problem(analysis_plan);
    on_faulty_teams({1, 3}, [&](comm::Team& team) {
      EXPECT_GT(sweep_faults(team, fault, 0, solves(p)), 3);
      if (team.size() > 1) {
        EXPECT_GT(sweep_faults(team, fault, team.size() - 1, solves(p)), 3);
      }
    });
  }
}

TEST(BlockFaults, AnyFailingCallEndsAllRanks) { sweep_each_plan(FaultOf::call); }
TEST(BlockFaults, AnyFailingAllocationEndsAllRanks) { sweep_each_plan(FaultOf::allocation); }

TEST(BlockFaults, ASlowRankChangesNothing) {
  for (const AnalysisPlan& analysis_plan : {by_blocks(), mixed(), by_fronts()}) {
    const Problem p = problem(analysis_plan);
    on_faulty_teams({3}, [&](comm::Team& team) { slow_each_rank(team, solves(p)); });
  }
}

}  // namespace
}  // namespace overlapack::sparse::testing
