#include "api/predicted_memory.hpp"

#include "base/matrix_view.hpp"

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
  const double column = padded_ld(1);  // all of these columns are shorter than one padding
  ASSERT_EQ(padded_ld(5), column);
  const double factors_1 = 2 * column, factors_2 = 2 * column, factors_3 = 4 * column;
  const double block_1 = 3 * column, block_2 = column;
  const double peak = std::max({factors_1 + block_1, factors_1 + factors_2 + block_1 + block_2,
                                factors_1 + factors_2 + factors_3 + block_1 + block_2});
  const double names = 4 * 8;
  EXPECT_EQ(predicted_bytes(three_fronts(sparse::FactorKind::ldlt), 8), 8 * (peak + block_1) + names);
}

TEST(PredictedMemory, OfLuAddsTheSecondTriangle) {
  EXPECT_GT(predicted_bytes(three_fronts(sparse::FactorKind::lu), 8),
            predicted_bytes(three_fronts(sparse::FactorKind::ldlt), 8));
}

TEST(PredictedMemory, OfARootOnAGridCopiesItsChildren) {
  // the peak of the three fronts is at their root, where both blocks wait: 3 and 1 columns of padded_ld
  const double copies = 8 * 4 * padded_ld(1);
  EXPECT_EQ(predicted_bytes(three_fronts(sparse::FactorKind::lu), 8, 2),
            predicted_bytes(three_fronts(sparse::FactorKind::lu), 8) + copies);
}

TEST(PredictedMemory, OfNothingIsNothing) { EXPECT_EQ(predicted_bytes(sparse::Analysis{}, 8), 0); }

}  // namespace
}  // namespace overlapack::api
