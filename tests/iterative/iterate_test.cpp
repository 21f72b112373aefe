#include "iterative/driver/iterate.hpp"

#include "comm/team.hpp"
#include "scripted_block.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace overlapack::iterative {
namespace {

/// On one rank: looks after iterations 2 and, at what was recorded in iteration 3, in 4, where it ends.
IterationResult<double> iterated(int final_sweeps, std::vector<double> residuals) {
  IterationResult<double> result;
  comm::run({}, [&](comm::Rank& rank) {
    const ScriptedBlock block(residuals, 1);
    result = iterate(rank, block, {.tolerance = 0.5, .residual_period = 2, .final_sweeps = final_sweeps});
  });
  return result;
}

TEST(Iterate, FinalSweepsBeginAtTheVectorThatWasFound) {
  const auto without = iterated(0, {1, 0.5, 0.5});
  EXPECT_EQ(without.x[0], 3);
  EXPECT_EQ(without.iterations, 4);
  const auto result = iterated(3, {1, 0.5, 0.5, 0.25});
  EXPECT_EQ(result.x[0], 6);
  EXPECT_EQ(result.iterations, 7);
  EXPECT_EQ(result.residual, 0.25);
  EXPECT_TRUE(result.has_converged);
}

TEST(Iterate, FinalSweepsThatMakeItWorseAreForgotten) {
  const auto result = iterated(3, {1, 0.5, 0.5, 0.75});
  EXPECT_EQ(result.x[0], 3);
  EXPECT_EQ(result.iterations, 7);
  EXPECT_EQ(result.residual, 0.5);
  EXPECT_TRUE(result.has_converged);
}

TEST(Iterate, ASlowRankDoesItsStepsSoManyTimes) {
  constexpr int ranks = 2;
  std::vector<int> steps(ranks);
  comm::run({.ranks = ranks}, [&](comm::Rank& rank) {
    const ScriptedBlock block({1, 0.5}, ranks);
    const auto result = iterate(
        rank, block,
        {.variant = Variant::sync, .tolerance = 0, .max_iterations = 8, .slow_rank = 1, .slow_factor = 2.5});
    EXPECT_EQ(result.x[0], 8);
    steps[static_cast<std::size_t>(rank.rank())] = block.steps();
  });
  EXPECT_EQ(steps, (std::vector{8, 20}));
}

/// In step on one rank, each residual of the script.
IterationResult<double> in_step(IterationPlan plan, std::vector<double> residuals) {
  plan.variant = Variant::sync;
  plan.residual_period = 1;
  IterationResult<double> result;
  comm::run({}, [&](comm::Rank& rank) { result = iterate(rank, ScriptedBlock(residuals, 1), plan); });
  return result;
}

TEST(Iterate, GrowthInStepEndsWhatIsNotProven) {
  EXPECT_TRUE(in_step({.tolerance = 0, .divergence = 8}, {1, 9}).has_diverged);
  const auto result = in_step({.tolerance = 0, .is_proven = true, .divergence = 8}, {1, 9, 1e100, 0});
  EXPECT_TRUE(result.has_converged);
  EXPECT_EQ(result.iterations, 3);
  EXPECT_TRUE(in_step({.is_proven = true}, {1, std::numeric_limits<double>::quiet_NaN()}).has_diverged);
}

// Beside it each residual would be 0.
TEST(Iterate, NothingIsSmallBesideASourceThatIsNotFinite) {
  for (const Variant variant : {Variant::sync, Variant::async})
    for (const double source :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      IterationResult<double> result;
      comm::run({}, [&](comm::Rank& rank) {
        result =
            iterate(rank, ScriptedBlock({1, 1, 1}, 1, source), {.variant = variant, .residual_period = 1});
      });
      EXPECT_TRUE(result.has_diverged);
      EXPECT_FALSE(result.has_converged);
      EXPECT_TRUE(std::isnan(result.residual));
    }
}

// x is the number of steps, which never stands still: a proven iteration goes on.
TEST(Iterate, NothingBetterForLongInStepEndsWhatIsNotProven) {
  const auto result = in_step({.tolerance = 0, .patience = 3}, {1, 0.5, 0.75, 0.5, 0.5});
  EXPECT_TRUE(result.has_stagnated);
  EXPECT_EQ(result.residual, 0.5);
  EXPECT_EQ(result.iterations, 4);
  const auto proven = in_step({.tolerance = 0, .max_iterations = 6, .is_proven = true, .patience = 3},
                              {1, 0.5, 0.75, 0.5, 0.5, 0.5, 0.5});
  EXPECT_FALSE(proven.has_stagnated);
  EXPECT_EQ(proven.iterations, 6);
}

}  // namespace
}  // namespace overlapack::iterative
