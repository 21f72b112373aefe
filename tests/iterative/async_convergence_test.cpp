#include "comm/team.hpp"
#include "iterative/driver/convergence.hpp"
#include "scripted_block.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace overlapack::iterative {
namespace {

/// What rank 0 is told, as "iteration residual", with a ! where it is of one vector.
std::vector<std::string> told(IterationPlan plan, const std::vector<double>& residuals,
                              Outcome<double>* outcome) {
  std::vector<std::string> log;
  plan.on_progress = [&](const Look& look) {
    std::ostringstream line;
    line << look.iteration << ' ' << look.residual << (look.is_true ? "!" : "");
    log.push_back(line.str());
  };
  comm::run({}, [&](comm::Rank& rank) {
    const ScriptedBlock block(residuals, 1);
    const auto convergence = async_convergence<double>(rank, block, plan);
    // The state is the iteration's number, so that the vector that is kept tells when it was recorded.
    for (Index k = 0; !convergence->is_over(k, State<double>(1, static_cast<double>(k))); ++k) rank.poll();
    *outcome = convergence->take_outcome();
  });
  return log;
}

using Log = std::vector<std::string>;

TEST(AsyncConvergence, AStartVectorThatIsGoodEnoughIsTheAnswer) {
  Outcome<double> outcome;
  EXPECT_EQ(told({.tolerance = 0.5}, {0.5}, &outcome), Log{});
  EXPECT_TRUE(outcome.has_converged);
  EXPECT_EQ(outcome.looks, 0);
  EXPECT_EQ(outcome.residual, 0.5);
  EXPECT_EQ(outcome.x[0], 0);
}

TEST(AsyncConvergence, LooksEveryPeriodAndRecordsAtEachStepDown) {
  // Estimates of 0.75 and 0.5625 are above half of the start vector's 1; 0.5 is not, nor is 0.25 above half of that.
  Outcome<double> outcome;
  const Log log = told({.tolerance = 0.125, .residual_period = 4, .snapshot_step = 0.5},
                       {1, 0.75, 0.5625, 0.5, 0.625, 0.375, 0.25, 0.25, 0.125, 0.0625}, &outcome);
  EXPECT_EQ(log, (Log{"5 0.75", "9 0.5625", "13 0.5", "14 0.625!", "17 0.375", "21 0.25", "22 0.25!",
                      "25 0.125", "26 0.0625!"}));
  EXPECT_TRUE(outcome.has_converged);
  EXPECT_EQ(outcome.looks, 6);
  EXPECT_EQ(outcome.snapshots, 3);
  EXPECT_EQ(outcome.residual, 0.0625);
  EXPECT_EQ(outcome.x[0], 25);
}

TEST(AsyncConvergence, TheBestOfTheRecordedVectorsIsKept) {
  Outcome<double> outcome;
  const Log log = told({.tolerance = 0.01, .max_iterations = 9, .residual_period = 4, .snapshot_step = 0.5},
                       {1, 0.5, 0.5, 0.75, 0.75, 0.75}, &outcome);
  EXPECT_EQ(log, (Log{"5 0.5", "6 0.5!", "9 0.75", "10 0.75", "11 0.75!"}));
  EXPECT_FALSE(outcome.has_converged);
  EXPECT_EQ(outcome.residual, 0.5);
  EXPECT_EQ(outcome.x[0], 5);
}

TEST(AsyncConvergence, TheLimitIsOneOfTheIterationsOfAllRanks) {
  // Rank 0 is at the limit of 10 from its first look on; rank 1 begins at 1: 12 of 20, later at 9: 20 of 20.
  constexpr int ranks = 2;
  const IterationPlan plan{
      .tolerance = 0.01, .max_iterations = 10, .residual_period = 1, .snapshot_step = 0.1};
  std::vector<Outcome<double>> outcomes(ranks);
  comm::run({.ranks = ranks}, [&](comm::Rank& rank) {
    const ScriptedBlock block({1, 1, 1, 1}, ranks);
    const auto convergence = async_convergence<double>(rank, block, plan);
    const auto iteration = [&] { return rank.rank() == 0 ? 11 : block.asked() < 2 ? 1 : 9; };
    while (!convergence->is_over(iteration(), State<double>(1, 0.0))) rank.poll();
    outcomes[static_cast<std::size_t>(rank.rank())] = convergence->take_outcome();
  });
  for (const Outcome<double>& outcome : outcomes) {
    EXPECT_EQ(outcome.looks, 2);
    EXPECT_EQ(outcome.snapshots, 1);
    EXPECT_FALSE(outcome.has_converged);
  }
}

TEST(AsyncConvergence, GrowthEndsItAndIsTold) {
  Outcome<double> outcome;
  const Log log = told({.tolerance = 0.01, .residual_period = 2, .divergence = 8}, {1, 8, 8.5, 9}, &outcome);
  EXPECT_EQ(log, (Log{"3 8", "5 8.5", "6 9!"}));
  EXPECT_TRUE(outcome.has_diverged);
  EXPECT_EQ(outcome.residual, 1);
}

TEST(AsyncConvergence, GrowthOfAProvenIterationMayBeAWay) {
  Outcome<double> outcome;
  const Log log = told({.tolerance = 0.01, .residual_period = 2, .is_proven = true, .divergence = 8},
                       {1, 9, 1e9, 0, 0}, &outcome);
  EXPECT_EQ(log, (Log{"3 9", "5 1e+09", "7 0", "8 0!"}));
  EXPECT_TRUE(outcome.has_converged);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      told({.tolerance = 0.01, .residual_period = 2, .is_proven = true}, {1, infinite, infinite}, &outcome),
      (Log{"3 inf", "4 inf!"}));
  EXPECT_TRUE(outcome.has_diverged);
}

TEST(AsyncConvergence, NothingBetterForLongEndsIt) {
  // Looks 3 and 4 are no better than look 2; what is recorded then is better than the start vector, the second record is not.
  Outcome<double> outcome;
  EXPECT_EQ(told({.tolerance = 0.01, .residual_period = 2, .patience = 2},
                 std::vector<double>{1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, &outcome),
            (Log{"3 0.5", "5 0.5", "7 0.5", "8 0.5!", "9 0.5", "11 0.5", "12 0.5!"}));
  EXPECT_TRUE(outcome.has_stagnated);
  EXPECT_EQ(outcome.residual, 0.5);
}

TEST(AsyncConvergence, AnEstimateThatWasTooGoodIsForgiven) {
  // 0.02 came with old halos: the record at look 3 is better than any record before, and the iteration goes on.
  Outcome<double> outcome;
  EXPECT_EQ(told({.tolerance = 0.01, .residual_period = 2, .patience = 2, .snapshot_step = 0.001},
                 {1, 0.02, 0.5, 0.25, 0.25, 0.125, 0.01, 0.01}, &outcome),
            (Log{"3 0.02", "5 0.5", "7 0.25", "8 0.25!", "9 0.125", "11 0.01", "12 0.01!"}));
  EXPECT_FALSE(outcome.has_stagnated);
  EXPECT_TRUE(outcome.has_converged);
}

TEST(AsyncConvergence, AProvenIterationEndsOnlyWhereXStandsStill) {
  Outcome<double> outcome;
  const std::vector<double> residuals(12, 0.5);
  const IterationPlan plan{
      .tolerance = 0.01, .max_iterations = 8, .residual_period = 1, .is_proven = true, .patience = 2};
  told(plan, residuals, &outcome);  // x is the iteration's number
  EXPECT_FALSE(outcome.has_stagnated);
  comm::run({}, [&](comm::Rank& rank) {
    const ScriptedBlock block(std::vector<double>(40, 0.5), 1);
    const auto convergence = async_convergence<double>(rank, block, plan);
    for (Index k = 0; !convergence->is_over(k, State<double>(1, 7.0)); ++k) rank.poll();
    outcome = convergence->take_outcome();
  });
  EXPECT_TRUE(outcome.has_stagnated);
  EXPECT_EQ(outcome.snapshots, 2);  // the second is compared with the first
}

}  // namespace
}  // namespace overlapack::iterative
