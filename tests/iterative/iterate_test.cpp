#include "iterative/driver/iterate.hpp"

#include "comm/team.hpp"
#include "scripted_block.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace overlapack::iterative
