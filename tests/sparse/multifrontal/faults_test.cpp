#include "faults.hpp"

/// The multifrontal method when messages come late and in other orders, and when any one call or allocation of a rank
/// fails.
namespace overlapack::sparse::testing {
namespace {

/// A small system whose fronts are shared by strips, with pivots delayed out of them.
Problem problem(FactorKind kind, Index n) {
  Problem p;
  AnalysisPlan plan;
  plan.kind = kind;
  plan.matching = Switch::off;
  p.A = kind == FactorKind::lu ? random_matrix<double>(n, 2, Symmetry::general, true, 5)
                               : zero_diagonal<double>(n, 29);
  p.analysis = analyse(p.A, plan);
  p.b = multiply(p.A, random_vector<double>(n, 7), 1);
  return p;
}

std::vector<FactorPlan> plans(FactorKind kind) {
  std::vector<FactorPlan> all{
      stress_plan(comm::ReceiveMode::immediate, 1), strips_plan(comm::ReceiveMode::immediate, 2),
      strips_plan(comm::ReceiveMode::probe, 1),     stealing_plan(comm::ReceiveMode::immediate, 2),
      late_plan(comm::ReceiveMode::immediate),      late_plan(comm::ReceiveMode::probe)};
  for (const std::size_t like :
       {std::size_t{0}, std::size_t{1}, std::size_t{4}}) {  // whole, in strips, waiting
    all.push_back(all[like]);
    all.back().fronts.low_rank = {.is_used = true, .tolerance = 1e-12, .order = 4, .cluster = 2, .worth = 1};
    all.back().fronts.small_order = 0;
  }
  if (kind == FactorKind::lu)
    all.insert(all.end(),
               {root_plan(comm::ReceiveMode::immediate, 2), late_root_plan(comm::ReceiveMode::immediate),
                late_root_plan(comm::ReceiveMode::probe)});
  return all;
}

TEST(MultifrontalFaults, LateAndOvertakenMessagesChangeNothing) {
  std::int64_t delayed = 0, overtaken = 0, parked = 0, late_receives = 0;
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    const Problem p = problem(kind, 90);
    const auto all = plans(kind);
    for (const auto& plan : all) {
      const bool waits = plan.fronts.walk.early == dist::EarlyMessages::wait;
      for (std::uint64_t seed = 1; seed <= (waits ? 12 : 3); ++seed)  // waiting calls nest in many ways
        for (const int ranks : {2, 3, 4, 7}) {
          const auto team = comm::open({.ranks = ranks});
          std::vector<std::int64_t> late(static_cast<std::size_t>(ranks)), overtook(late);
          const auto [x, stats] =
              run_wrapped<Multifrontal<double>>(*team, p, plan, [&](comm::Rank& engine, const auto& solve) {
                comm::CheckedRank rank(engine, {.seed = seed});
                solve(rank);
                late[static_cast<std::size_t>(rank.rank())] = rank.delayed();
                overtook[static_cast<std::size_t>(rank.rank())] = rank.overtaken();
              });
          EXPECT_LE(backward_error(p.A, x, p.b, 1), tolerance<double>(p.A.rows))
              << "seed " << seed << ", ranks " << ranks << ", plan " << &plan - all.data() << ", kind "
              << int(kind);
          if (!waits) {
            EXPECT_EQ(stats.late_receives, 0);
          }
          // pieces of a root on a grid are kept: others may have its description first
          if (waits && stats.grid_roots == 0) {
            EXPECT_EQ(stats.parked, 0);
          }
          parked += stats.parked;
          late_receives += stats.late_receives;
          for (const std::int64_t count : late) delayed += count;
          for (const std::int64_t count : overtook) overtaken += count;
        }
    }
  }
  EXPECT_GT(delayed, 0);
  EXPECT_GT(overtaken, 0);
  EXPECT_GT(parked, 0);
  EXPECT_GT(late_receives, 0);
}

RankWork solves(const Problem& p, const FactorPlan& plan) {
  return factorize_and_solve(p, plan, tolerance<double>(p.A.rows), [] { return Multifrontal<double>(); });
}

/// Each kind with each plan, with faults on the first rank, which is the caller's thread, or on the last.
void sweep_each_plan(FaultOf fault) {
  int number = 0;
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    const Problem p = problem(kind, 20);
    for (const auto& plan : plans(kind))
      on_faulty_teams({3}, [&](comm::Team& team) {
        const int failing = number++ % 2 == 0 ? 0 : team.size() - 1;
        EXPECT_GT(sweep_faults(team, fault, failing, solves(p, plan)), 10);
      });
  }
}

TEST(MultifrontalFaults, AnyFailingCallEndsAllRanks) { sweep_each_plan(FaultOf::call); }
TEST(MultifrontalFaults, AnyFailingAllocationEndsAllRanks) { sweep_each_plan(FaultOf::allocation); }

/// Fronts large enough for it: arenas of factors, contribution blocks, entries by slots.
TEST(MultifrontalFaults, AnyFailingPieceOfLargeMemoryEndsAllRanks) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    Problem p;
    p.A = cube_of<double>(12);
    AnalysisPlan analysis_plan;
    analysis_plan.kind = kind;
    p.analysis = analyse(p.A, analysis_plan);
    p.b = multiply(p.A, random_vector<double>(p.A.rows, 7), 1);
    for (const FactorPlan& plan : {FactorPlan{}, strips_plan(comm::ReceiveMode::immediate, 2)})
      on_faulty_teams({2}, [&](comm::Team& team) {
        EXPECT_GT(sweep_faults(team, FaultOf::large_memory, team.size() - 1, solves(p, plan)), 3);
      });
  }
}

TEST(MultifrontalFaults, ASlowRankChangesNothing) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    const Problem p = problem(kind, 60);
    for (const auto& plan : plans(kind))
      on_faulty_teams({3}, [&](comm::Team& team) { slow_each_rank(team, solves(p, plan)); });
  }
}

/// From the second time on, one rank factorises other values in the memory that it has: what is allocated is a walk's
/// few receives and lists, as many for ten times the unknowns and fronts, and contribution blocks that the pool does not keep, fewer
/// by far than fronts.
TEST(MultifrontalFaults, FactorizingAgainAllocatesNothingThatGrows) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
    std::vector<std::int64_t> counts;
    for (const int points : {6, 13}) {
      SparseMatrix<double> A = cube_of<double>(points);
      AnalysisPlan analysis_plan;
      analysis_plan.kind = kind;
      const Analysis analysis = analyse(A, analysis_plan);
      FactorPlan plan;
      plan.fronts.leaf_flops = 1e3;  // many tasks
      comm::open({.ranks = 1})->run([&](comm::Rank& rank) {
        Multifrontal<double> factors;
        factors.factorize(rank, &analysis, &A, plan);
        for (int time = 0; time < 3; ++time) {
          for (double& value : A.value) value *= 1.5;
          const std::int64_t before = allocations, blocks_before = block_allocations;
          factors.refactorize(rank, &analysis, &A, plan);
          const std::int64_t blocks = block_allocations - blocks_before;
          if (time == 2) counts.push_back(allocations - before - blocks);
          EXPECT_LE(blocks, 20 + analysis.tree.fronts() / 5);
        }
        const std::vector<double> b = multiply(A, random_vector<double>(A.rows, 3), 1);
        std::vector<double> x(b.size());
        factors.solve(rank, b.data(), x.data(), 1);
        EXPECT_LE(backward_error(A, x, b, 1), tolerance<double>(A.rows));
      });
    }
    EXPECT_LE(counts[1], counts[0] + 8) << "kind " << static_cast<int>(kind);
    EXPECT_LE(counts[1], 100);
  }
}

}  // namespace
}  // namespace overlapack::sparse::testing
