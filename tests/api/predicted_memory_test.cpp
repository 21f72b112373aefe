#include "api/plan/predicted_memory.hpp"

#include "sparse/factors/low_rank_plan.hpp"

#include <gtest/gtest.h>

namespace overlapack::api {
namespace {

/// Two leaves (s = 2, border 3 and 1) under one root (s = 4).
sparse::Analysis three_fronts(sparse::FactorKind kind) {
  sparse::Analysis analysis;
  analysis.kind = kind;
  analysis.tree.n = 8;
  analysis.tree.first_pivot = {0, 2, 4, 8};
  analysis.tree.parent = {2, 2, -1};
  analysis.tree.row_start = {0, 3, 4, 4};
  analysis.tree.row = {4, 5, 6, 7};
  return analysis;
}

TEST(PredictedMemory, IsThePeakOfThePostorder) {
  const double panels = 8 * (5 * 2 + 3 * 2 + 4 * 4);                  // short columns are not padded
  const double names = 16 + 16 + 16, diagonals = 2 * (16 + 16 + 32);  // in pieces of 16 bytes
  const double blocks = 8 * (3 * 3 + 1);                              // both wait when the root is made
  EXPECT_EQ(predicted_bytes(three_fronts(sparse::FactorKind::ldlt), 8), panels + names + diagonals + blocks);
}

TEST(PredictedMemory, OfLuAddsTheSecondTriangle) {
  EXPECT_GT(predicted_bytes(three_fronts(sparse::FactorKind::lu), 8),
            predicted_bytes(three_fronts(sparse::FactorKind::cholesky), 8));
}

TEST(PredictedMemory, OfARootOnAGridCopiesItsChildren) {
  // the peak of the three fronts is at their root, where both blocks wait
  const double copies = 8 * (3 * 3 + 1);
  EXPECT_EQ(predicted_bytes(three_fronts(sparse::FactorKind::lu), 8, 2),
            predicted_bytes(three_fronts(sparse::FactorKind::lu), 8) + copies);
}

TEST(PredictedMemory, WithFactorsOnDiskHoldsAFrontAndABuffer) {
  const double numbers[] = {8 * (5 * 2 + 2 * 2), 8 * (3 * 2 + 2 * 2), 8 * (4 * 4 + 2 * 4)};  // panel and D
  const double names = 16 + 16 + 16, blocks = 8 * (3 * 3 + 1);
  const sparse::Analysis fronts = three_fronts(sparse::FactorKind::ldlt);
  EXPECT_EQ(predicted_scratch_bytes(fronts, 8), numbers[0] + numbers[1] + numbers[2]);
  // at the root both blocks wait; the leaf before it may still be under way where the buffer takes less
  EXPECT_EQ(predicted_disk_memory_bytes(fronts, 8, 1), names + blocks + numbers[2] + numbers[1]);
  EXPECT_EQ(predicted_disk_memory_bytes(fronts, 8, 1e9), 1e9 + names);  // a solve has it all to itself
}

TEST(PredictedMemory, OfCompressedFrontsCountsTheirBlocksByTheShareThatStays) {
  // not the second leaf
  sparse::LowRankPlan plan{.is_used = true, .order = 4, .cluster = 2, .contributions = false};
  for (const double share : {0.0, 0.5, 1.0}) {
    const double first = 8 * (2 * 2 + share * 3 * 2 + 2 * 2);  // square, border, D
    const double second = 8 * (3 * 2 + 2 * 2);                 // panel and D
    const double root =
        8 * (2 * 2 + 2 * 2 + share * 2 * 2 + 2 * 4);  // two squares, the block between them, D
    const double in_full = 8 * (4 * 4 + 2 * 4), blocks = 8 * (3 * 3 + 1);  // while the root is eliminated
    const double names = 16 + 16 + 16;
    EXPECT_EQ(predicted_low_rank_bytes(three_fronts(sparse::FactorKind::ldlt), 8, plan, share),
              first + second + root + names + in_full + blocks)
        << share;
  }
  EXPECT_GT(predicted_low_rank_bytes(three_fronts(sparse::FactorKind::lu), 8, plan, 1),
            predicted_low_rank_bytes(three_fronts(sparse::FactorKind::cholesky), 8, plan, 1));
  // of the first leaf's block its diagonal, and what stays of the rest
  const double full = predicted_low_rank_bytes(three_fronts(sparse::FactorKind::ldlt), 8, plan, 0.5);
  plan.contributions = true;
  EXPECT_EQ(predicted_low_rank_bytes(three_fronts(sparse::FactorKind::ldlt), 8, plan, 0.5),
            full - 8 * (3 * 3) + 8 * (3 + 0.5 * (3 + 2 + 1 - 3)));
}

TEST(PredictedMemory, OfNothingIsNothing) { EXPECT_EQ(predicted_bytes(sparse::Analysis{}, 8), 0); }

}  // namespace
}  // namespace overlapack::api
