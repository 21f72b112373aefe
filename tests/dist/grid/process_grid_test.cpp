#include "dist/grid/process_grid.hpp"

#include "overlapack/error.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace overlapack::dist {
namespace {

/// The sentence with which something is refused; "" if it is not.
std::string refusal(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), Status::bad_plan);
    return e.what();
  }
  return "";
}
void expect_refused(const std::function<void()>& act, const std::vector<std::string>& with) {
  const std::string text = refusal(act);
  for (const std::string& part : with)
    EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST(ProcessGrid, FillsInEitherOrderOverAnyRankCount) {
  for (int team = 1; team <= 13; ++team)
    for (int P = 1; P <= team; ++P)
      for (int Q = 1; P * Q <= team; ++Q)
        for (const GridOrder order : {GridOrder::row_major, GridOrder::column_major}) {
          const ProcessGrid grid(P, Q, order, team);
          EXPECT_EQ(grid.size(), P * Q);
          for (int p = 0; p < P; ++p)
            for (int q = 0; q < Q; ++q) {
              const int rank = order == GridOrder::row_major ? p * Q + q : p + q * P;
              EXPECT_EQ(grid.rank_at(p, q), rank);
              EXPECT_TRUE(grid.holds(rank));
              EXPECT_EQ(grid.position_of(rank).row, p);
              EXPECT_EQ(grid.position_of(rank).col, q);
            }
          for (int rank = P * Q; rank < team; ++rank) EXPECT_FALSE(grid.holds(rank));
        }
}

TEST(ProcessGrid, GroupsAreItsRowsAndColumns) {
  const ProcessGrid grid(2, 3, {5, 0, 3, 4, 1, 7}, 8);  // column by column
  EXPECT_EQ(grid.rank_at(1, 2), 7);
  EXPECT_FALSE(grid.holds(2));
  const GridPosition me = grid.position_of(4);
  const auto row = grid.row_group(me), column = grid.column_group(me);
  EXPECT_EQ(row.ranks, (std::vector<int>{0, 4, 7}));
  EXPECT_EQ(row.me, 1);
  EXPECT_EQ(column.ranks, (std::vector<int>{3, 4}));
  EXPECT_EQ(column.me, 1);
  EXPECT_THROW(grid.position_of(2), Error);
}

TEST(ProcessGrid, TheSquarestHasARankForEachPositionAndIsNotTallerThanWide) {
  for (int ranks = 1; ranks <= 60; ++ranks) {
    const ProcessGrid grid = squarest_grid(ranks, GridOrder::row_major);
    EXPECT_EQ(grid.size(), ranks);
    EXPECT_LE(grid.rows(), grid.cols());
    for (int p = grid.rows() + 1; p * p <= ranks; ++p) EXPECT_NE(ranks % p, 0);
  }
  EXPECT_EQ(squarest_grid(22, GridOrder::row_major).rows(), 2);
}

TEST(ProcessGrid, RefusesWhatDoesNotFit) {
  const auto grid = [](int P, int Q, int team) {
    return [=] { ProcessGrid(P, Q, GridOrder::row_major, team); };
  };
  expect_refused(grid(2, 3, 5), {"2 x 3", "6 ranks", "5"});
  expect_refused(grid(0, 3, 5), {"0 x 3"});
  expect_refused(grid(2, -1, 5), {"2 x -1"});
  expect_refused(grid(1 << 20, 1 << 20, 5), {"1099511627776"});  // does not overflow
  expect_refused([] { squarest_grid(0, GridOrder::row_major); }, {"1 x 0"});
  const auto given = [](std::vector<int> ranks) { return [=] { ProcessGrid(1, 2, ranks, 2); }; };
  EXPECT_EQ(refusal(given({1, 0})), "");
  expect_refused(given({1, 1}), {"rank 1", "twice"});
  expect_refused(given({0, 2}), {"rank 2", "does not exist"});
  expect_refused(given({-1, 0}), {"rank -1"});
  expect_refused(given({0}), {"1 ranks"});
}

/// k ranks a node, in the order of their numbers.
std::vector<int> nodes(int ranks, int k) {
  std::vector<int> node_of(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) node_of[static_cast<std::size_t>(r)] = r / k;
  return node_of;
}

TEST(NodeLayout, TheRanksOfANodeLieAlongARowOrAColumn) {
  const auto layout = [](int P, int Q, GridOrder order, int k) {
    return node_layout(ProcessGrid(P, Q, order, P * Q), nodes(P * Q, k));
  };
  const auto expect = [](NodeLayout got, NodeAxis axis, int phases) {
    EXPECT_EQ(got.axis, axis);
    EXPECT_EQ(got.phases, phases);
  };
  expect(layout(4, 6, GridOrder::row_major, 2), NodeAxis::row, 2);
  expect(layout(4, 6, GridOrder::row_major, 3), NodeAxis::row, 3);
  expect(layout(4, 6, GridOrder::row_major, 6), NodeAxis::row, 6);
  expect(layout(4, 6, GridOrder::column_major, 4), NodeAxis::column, 4);
  expect(layout(2, 11, GridOrder::column_major, 2), NodeAxis::column, 2);  // paper 2's 11 nodes
  expect(layout(1, 7, GridOrder::row_major, 7), NodeAxis::row, 7);
  expect(layout(7, 1, GridOrder::row_major, 7), NodeAxis::column, 7);
  expect(layout(3, 5, GridOrder::row_major, 1), NodeAxis::none, 1);
  expect(layout(1, 1, GridOrder::row_major, 1), NodeAxis::none, 1);
}

TEST(NodeLayout, NodesThatDoNotFitTheGridAreNamed) {
  const auto layout = [](int P, int Q, std::vector<int> node_of) {
    return [=] { node_layout(ProcessGrid(P, Q, GridOrder::row_major, P * Q), node_of); };
  };
  expect_refused(layout(2, 11, nodes(22, 2)), {"2 x 11", "node 5", "side by side", "multiple"});
  expect_refused(layout(2, 2, nodes(4, 4)), {"2 x 2", "node 0 has 4 ranks"});
  expect_refused(layout(1, 3, nodes(3, 2)), {"1 x 3", "node 1 has 1 rank ", "node 0 has 2"});
  expect_refused(layout(1, 4, {0, 1, 0, 1}), {"node 0", "side by side"});
  expect_refused(layout(2, 4, {0, 1, 2, 2, 0, 1, 3, 3}), {"node 2", "another axis"});
}

TEST(NodeLayout, RanksBehindTheGridDoNotCount) {
  const NodeLayout got = node_layout(ProcessGrid(1, 4, GridOrder::row_major, 5), nodes(5, 2));
  EXPECT_EQ(got.axis, NodeAxis::row);
  EXPECT_EQ(got.phases, 2);
}

}  // namespace
}  // namespace overlapack::dist
