#include "dense/lu/plan/overlap_model.hpp"

#include <gtest/gtest.h>

namespace overlapack::dense {
namespace {

TEST(OverlapModel, GivesTheTheoreticalSavingsOfPaper2Table3) {
  const struct {
    double n, communication_s, computation_s, saved_s;
  } rows[] = {{20000, 37.4, 45.1, 14.2},  {25000, 53.7, 88.9, 20.3},   {30000, 73.6, 153.9, 27.9},
              {35000, 99.8, 244.8, 37.8}, {40000, 128.5, 372.9, 48.7}, {45000, 155.0, 519.6, 58.7},
              {50000, 188.4, 713.8, 71.4}};
  for (const auto& row : rows) {
    const OverlapPrediction p = predict_overlap(row.communication_s, row.computation_s, {1.32, 1.18}, 2);
    EXPECT_NEAR(p.saved_s, row.saved_s, 0.01 * row.saved_s)
        << row.n;  // the speed-ups are given to two decimals
    EXPECT_NEAR(p.speedup, 1 + p.saved_s / (row.communication_s + row.computation_s - p.saved_s), 1e-12)
        << row.n;
  }
}

TEST(OverlapModel, IsLargestWhenPhasesAreEquallyLong) {
  // T_s = 0: S = (S_m + S_p) / 2
  EXPECT_NEAR(predict_overlap(1.4, 1.2, {1.4, 1.2}, 2).speedup, 1.3, 1e-12);
  // k phases: T_flat = t (S_m + (k - 1) S_p) against k t
  EXPECT_NEAR(predict_overlap(1.4, 3 * 1.2, {1.4, 1.2}, 4).speedup, (1.4 + 3 * 1.2) / 4, 1e-12);
}

TEST(OverlapModel, SavesNothingWithoutOppositePhases) {
  EXPECT_EQ(predict_overlap(3, 5, {1.3, 1.2}, 1).saved_s, 0);
  EXPECT_EQ(predict_overlap(3, 5, {1, 1}, 2).saved_s, 0);
  EXPECT_EQ(predict_overlap(0, 0, {1.3, 1.2}, 2).speedup, 1);
}

}  // namespace
}  // namespace overlapack::dense
