#include "sparse/multifrontal/plan/strips.hpp"

#include "sparse/factors/strip_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace overlapack::sparse::multifrontal {
namespace {

TEST(LevelOut, BringsRanksToOneLevel) {
  const std::vector<std::vector<double>> cases{{0}, {5}, {0, 0, 0}, {1, 2, 3, 100}, {7, 0, 7}, {1e9, 0, 1}};
  for (const auto& loads : cases)
    for (const double work : {1e-3, 1.0, 50.0, 1e6}) {
      const auto shares = shares_by_load(loads, work);
      ASSERT_EQ(shares.size(), loads.size());
      EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-6);
      double level = 0;
      for (std::size_t i = 0; i < loads.size(); ++i)
        if (shares[i] > 0) level = std::max(level, loads[i] + shares[i] * work);
      for (std::size_t i = 0; i < loads.size(); ++i) {
        EXPECT_GE(shares[i], 0);
        if (shares[i] > 0)
          EXPECT_NEAR(loads[i] + shares[i] * work, level, 1e-9 * (level + work));
        else
          EXPECT_GE(loads[i], level * (1 - 1e-12));
      }
    }
}

TEST(LevelOut, NobodyTakesMoreThanItsRoom) {
  const std::vector<double> loads{0, 10, 15, 100};
  EXPECT_EQ(shares_by_load(loads, 50, std::vector<double>{1, 1, 1, 1}), shares_by_load(loads, 50));
  // the first has room for 10 of 50, the others come to level 32.5 with the rest
  EXPECT_EQ(shares_by_load(loads, 50, std::vector<double>{0.2, 1, 1, 1}),
            (std::vector<double>{0.2, 0.45, 0.35, 0}));
  // as little as there is, whatever the loads
  EXPECT_EQ(shares_by_load(loads, 50, std::vector<double>{0.25, 0, 0.25, 0.5}),
            (std::vector<double>{0.25, 0, 0.25, 0.5}));
  // too little room: in proportion
  EXPECT_EQ(shares_by_load(loads, 50, std::vector<double>{0.125, 0, 0.125, 0.25}),
            (std::vector<double>{0.25, 0, 0.25, 0.5}));
}

TEST(MakeStrips, CoverTheBorderWithEnoughRowsEach) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
    for (const Index border : {1, 2, 3, 10, 100, 1001})
      for (const Index least : {1, 3, 48}) {
        const Strips strips = make_strips(kind, border, least, 3, {4, 2, 7}, {0, 10, 0}, 40);
        ASSERT_GE(strips.count(), 1);
        ASSERT_EQ(strips.start.size(), strips.rank.size() + 1);
        EXPECT_EQ(strips.start.front(), 0);
        EXPECT_EQ(strips.start.back(), border);
        EXPECT_EQ(std::ranges::adjacent_find(strips.start, std::greater_equal<>()), strips.start.end())
            << "a strip without rows";
        if (border < 2 * least) {
          EXPECT_EQ(strips.count(), 1);
        }
      }
}

/// Ten shares of one area each: the last ones have half a row.
TEST(MakeStrips, OfATriangleNoneIsWithoutRows) {
  std::vector<int> ranks(10);
  std::iota(ranks.begin(), ranks.end(), 0);
  const Strips strips = make_strips(FactorKind::ldlt, 10, 1, 10, ranks, std::vector<double>(10), 40);
  EXPECT_EQ(strips.start, (std::vector<Index>{0, 3, 4, 5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(strips.rank, (std::vector<int>{0, 1, 2, 3, 4, 5, 7, 9}));
}

TEST(MakeStrips, SharesFollowTheLoads) {
  // level 25: shares 25, 15 and 10 of 50
  const Strips lu = make_strips(FactorKind::lu, 100, 1, 3, {0, 1, 2}, {0, 10, 15}, 50);
  EXPECT_EQ(lu.start, (std::vector<Index>{0, 50, 80, 100}));
  const Strips symmetric = make_strips(FactorKind::ldlt, 100, 1, 3, {0, 1, 2}, {0, 10, 15}, 50);
  EXPECT_EQ(symmetric.start, (std::vector<Index>{0, std::llround(100 * std::sqrt(0.5)),
                                                 std::llround(100 * std::sqrt(0.8)), 100}));
  EXPECT_EQ(make_strips(FactorKind::lu, 100, 1, 3, {0, 1, 2}, {0, 1000, 0}, 50).rank,
            (std::vector<int>{0, 2}));
  EXPECT_EQ(make_strips(FactorKind::lu, 100, 1, 3, {0, 1, 2}, {0, 10, 15}, 50, {0.2, 1, 1}).start,
            (std::vector<Index>{0, 20, 65, 100}));
  EXPECT_EQ(make_strips(FactorKind::lu, 100, 10, 3, {0, 1, 2}, {0, 10, 15}, 50, {0.05, 1, 1}).rank,
            (std::vector<int>{1, 2}));
}

TEST(MakeStrips, NoMoreThanPay) {
  const std::vector<double> loads{0, 10, 15};
  EXPECT_EQ(make_strips(FactorKind::lu, 100, 1, 2, {0, 1, 2}, loads, 50).rank, (std::vector<int>{0, 1}));
  EXPECT_EQ(make_strips(FactorKind::lu, 100, 1, 1, {0, 1, 2}, loads, 50).rank, (std::vector<int>{0}));
  AssemblyTree tree;  // a front of 100 pivots and m border rows, and its parent
  tree.n = 5100;
  tree.parent = {1, -1};
  Index before = 0;
  for (const Index m : {10, 1000, 5000}) {
    tree.first_pivot = {0, 100, 100 + m};
    tree.row_start = {0, m, m};
    // LU: 100 m (100 + 2 m) flops for 8 x 100 (50 + m) bytes
    const double lu =
        std::sqrt(static_cast<double>(m * (100 + 2 * m)) / static_cast<double>(8 * (50 + m)) / 2);
    EXPECT_EQ(most_profitable_strips(FactorKind::lu, tree, 0, 8, {.flops_per_byte = 2}),
              std::max<Index>(1, std::llround(lu)));
    const Index symmetric = most_profitable_strips(FactorKind::ldlt, tree, 0, 8, {.flops_per_byte = 2});
    EXPECT_EQ(symmetric, std::max<Index>(1, std::llround(std::sqrt(static_cast<double>(m) / 8))));
    EXPECT_GE(symmetric, before);
    before = symmetric;
  }
}

TEST(Strips, AddUpToTheWholeFront) {
  AssemblyTree tree;
  tree.n = 30;
  tree.first_pivot = {0, 6, 30};
  tree.parent = {1, -1};
  tree.row_start = {0, 10, 10};
  tree.row = {7, 9, 11, 12, 13, 14, 20, 21, 22, 29};
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    const Strips strips = make_strips(kind, 10, 1, 3, {0, 1, 2}, {0, 0, 0}, 1);
    double flops = 0, entries = 0;
    for (Index i = 0; i < strips.count(); ++i) {
      flops += strip_flops(kind, tree, 0, strips, i);
      entries += strip_entries(kind, tree, 0, strips, i);
    }
    EXPECT_DOUBLE_EQ(flops, strip_flops(kind, tree, 0));
    if (kind == FactorKind::lu)
      EXPECT_DOUBLE_EQ(entries, strip_entries(kind, tree, 0));
    else
      EXPECT_GE(entries, strip_entries(kind, tree, 0));  // whole rectangles down to the diagonal
  }
}

TEST(PositionsInParent, PivotsFirstThenBorderRows) {
  AssemblyTree tree;  // front 0 -> 1 -> 2
  tree.n = 12;
  tree.first_pivot = {0, 3, 7, 12};
  tree.parent = {1, 2, -1};
  tree.row_start = {0, 4, 8, 8};
  tree.row = {3, 6, 8, 11, 7, 8, 10, 11};
  const PositionsInParent positions = positions_in_parent(tree, 0);
  EXPECT_EQ(positions.summed, 2);
  EXPECT_EQ(positions.position, (std::vector<std::int32_t>{0, 3, 1, 3}));
  EXPECT_EQ(positions.rows_before(0), 2);
  EXPECT_EQ(positions.rows_before(2), 3);
  EXPECT_EQ(positions.rows_before(4), 4);
  EXPECT_EQ(positions_in_parent(tree, 1).summed, 4);
}

}  // namespace
}  // namespace overlapack::sparse::multifrontal
