#include "sparse/multifrontal/faults.hpp"

#include "node_problems.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <thread>

/// Supernodal LU when messages come late and in other orders, and when any one call or allocation of a rank fails.
namespace overlapack::sparse::testing {
namespace {

Problem problem(Index n) {
  Problem p;
  p.A = random_matrix<double>(n, 2, Symmetry::general, true, 5);
  p.analysis = analyse(p.A, nodes_analysis(2, 0));
  p.b = multiply(p.A, random_vector<double>(n, 7), 1);
  return p;
}

/// Width 2, depth 1, a poll behind each product; and what is far ahead.
std::vector<FactorPlan> plans() {
  std::vector<FactorPlan> all{nodes_plan(Schedule::flat, 1), nodes_plan(Schedule::pipelined, 1),
                              nodes_plan(Schedule::look_ahead, 1), nodes_plan(Schedule::look_ahead, 10)};
  all.push_back(all[2]);
  all.back().nodes.rows_ahead = false;
  all.push_back(all[3]);
  all.back().nodes.order = NodeOrder::postorder;
  for (const std::size_t like : {0, 2, 3}) {
    all.push_back(all[like]);
    all.back().nodes.map = NodeMap::subtrees;
  }
  return all;
}

TEST(SupernodalFaults, LateMessagesChangeNothing) {
  std::int64_t delayed = 0;
  const Problem p = problem(90);
  for (const FactorPlan& plan : plans())
    for (const int ranks : {2, 3, 4, 6, 7}) {
      std::vector<double> undisturbed;
      for (std::uint64_t seed = 0; seed <= 3; ++seed) {
        const auto team = comm::open({.ranks = ranks});
        std::vector<std::int64_t> late(static_cast<std::size_t>(ranks));
        const auto [x, stats] =
            run_wrapped<Supernodal<double>>(*team, p, plan, [&](comm::Rank& engine, const auto& solve) {
              if (seed == 0) return solve(engine);
              comm::CheckedRank rank(engine, {.seed = seed});
              solve(rank);
              late[static_cast<std::size_t>(rank.rank())] = rank.delayed();
            });
        EXPECT_LE(backward_error(p.A, x, p.b, 1), static_tolerance<double>(p.A.rows));
        if (seed == 0) undisturbed = x;
        EXPECT_EQ(x, undisturbed) << "seed " << seed << ", ranks " << ranks;  // the same bits
        for (const std::int64_t count : late) delayed += count;
      }
    }
  EXPECT_GT(delayed, 0);
}

RankWork solves(const Problem& p, const FactorPlan& plan) {
  return factorize_and_solve(p, plan, static_tolerance<double>(p.A.rows),
                             [] { return Supernodal<double>(); });
}

void sweep_each_plan(FaultOf fault) {
  const Problem p = problem(20);
  int number = 0;
  for (const FactorPlan& plan : plans())
    on_faulty_teams({1, 4}, [&](comm::Team& team) {
      const int failing = number++ % 3 == 0 ? team.size() - 1 : 0;
      EXPECT_GT(sweep_faults(team, fault, failing, solves(p, plan)), 10);
    });
}

TEST(SupernodalFaults, AnyFailingCallEndsAllRanks) { sweep_each_plan(FaultOf::call); }
TEST(SupernodalFaults, AnyFailingAllocationEndsAllRanks) { sweep_each_plan(FaultOf::allocation); }

TEST(SupernodalFaults, ASlowRankChangesNothing) {
  const Problem p = problem(60);
  for (const FactorPlan& plan : plans())
    on_faulty_teams({4}, [&](comm::Team& team) { slow_each_rank(team, solves(p, plan)); });
}

/// Counts the kernels that are done; each after a pause.
class CountingRank final : public comm::ForwardingRank {
 public:
  CountingRank(comm::Rank& inner, std::atomic<int>& done, std::chrono::microseconds pause)
      : ForwardingRank(inner), done_(done), pause_(pause) {}

 protected:
  void run_compute(const comm::Work& work, comm::FunctionRef<void()> f) override {
    std::this_thread::sleep_for(pause_);
    ForwardingRank::run_compute(work, f);
    ++done_;
  }

 private:
  std::atomic<int>& done_;
  std::chrono::microseconds pause_;
};

/// What refactorize relies on, which writes to panels that were sent: whoever is back knows that all have done their last kernel.
TEST(SupernodalFaults, NobodyIsBackBeforeAllHaveReadThePanels) {
  if (!comm::conformance::is_thread()) GTEST_SKIP() << "elsewhere panels are copied";
  constexpr int ranks = 4;
  const Problem p = problem(60);
  for (const FactorPlan& plan : plans()) {
    std::array<int, ranks> all{};
    for (int slow = -1; slow < ranks; ++slow) {  // -1: to count them
      std::array<std::atomic<int>, ranks> done{};
      comm::open({.ranks = ranks})->run([&](comm::Rank& engine) {
        const int me = engine.rank();
        CountingRank rank(engine, done[me], std::chrono::microseconds(me == slow ? 100 : 0));
        Supernodal<double> factors;
        factors.factorize(rank, &p.analysis, &p.A, plan);
        if (slow < 0) {
          all[me] = done[me];
          return;
        }
        for (int other = 0; other < ranks; ++other)
          EXPECT_EQ(done[other], all[other]) << other << " when " << me << " is back";
        comm::collective::barrier(engine);
      });
    }
    EXPECT_GT(*std::ranges::min_element(all), 0);
  }
}

/// On one rank: lists of the updates, work spaces, as many for more nodes.
TEST(SupernodalFaults, FactorizingAgainAllocatesNothingThatGrows) {
  std::vector<std::int64_t> counts;
  for (const int points : {6, 13}) {
    SparseMatrix<double> A = cube_of<double>(points);
    A.symmetry = Symmetry::general;
    AnalysisPlan analysis_plan = nodes_analysis(16, 2);
    analysis_plan.ordering = Ordering::dissection;  // of both
    const Analysis analysis = analyse(A, analysis_plan);
    comm::open({.ranks = 1})->run([&](comm::Rank& rank) {
      Supernodal<double> factors;
      factors.factorize(rank, &analysis, &A, FactorPlan{});
      for (int time = 0; time < 2; ++time) {
        const std::int64_t before = allocations;
        factors.refactorize(rank, &analysis, &A, FactorPlan{});
        if (time == 1) counts.push_back(allocations - before);
      }
    });
  }
  EXPECT_LE(counts[1], counts[0] + 30);  // vectors that double
}

}  // namespace
}  // namespace overlapack::sparse::testing
