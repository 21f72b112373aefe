#include "sparse/analysis/graph/pairs.hpp"

#include "elimination_twin.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace overlapack::sparse {
namespace {

PivotPartners partners_of(std::vector<Index> row_of_column, std::vector<double> diagonal) {
  return pivot_partners(row_of_column, diagonal, 0.1);
}

TEST(PivotPartners, FixedPointsStayAlone) {
  EXPECT_EQ(partners_of({0, 1, 2}, {0, 0, 1}).partner, (std::vector<Node>{0, 1, 2}));
  EXPECT_TRUE(partners_of({}, {}).partner.empty());
}

TEST(PivotPartners, ATwoCycleIsAPairUnlessBothDiagonalsAreLarge) {
  EXPECT_EQ(partners_of({1, 0}, {1, 0}).partner, (std::vector<Node>{1, 0}));
  EXPECT_EQ(partners_of({1, 0}, {0.05, 0.05}).partner, (std::vector<Node>{1, 0}));
  EXPECT_EQ(partners_of({1, 0}, {1, 0.1}).partner, (std::vector<Node>{0, 1}));
  EXPECT_EQ(partners_of({1, 0}, {1, 0}).waits, (std::vector<char>{0, 1}));
}

TEST(PivotPartners, LongCyclesAreCutIntoNeighboursAndOddOnesLeaveTheLargestDiagonal) {
  Random random(1);
  for (Index n : {3, 4, 7, 10, 51}) {
    const std::vector<Index> next = twin::random_permutation(n, random);
    std::vector<double> diagonal(n);
    for (double& d : diagonal) d = random.uniform(0, 0.09);
    const std::vector<Node> partner = partners_of(next, diagonal).partner;
    for (Index v = 0; v < n; ++v) {
      ASSERT_EQ(partner[partner[v]], v);
      if (partner[v] != v) {
        EXPECT_TRUE(next[v] == partner[v] || next[partner[v]] == v) << "no neighbours in their cycle";
        continue;
      }
      Index length = 1;
      double largest = diagonal[v];
      for (Index u = next[v]; u != v; u = next[u], ++length) largest = std::max(largest, diagonal[u]);
      EXPECT_EQ(length % 2, 1);
      EXPECT_EQ(diagonal[v], largest);
    }
  }
}

TEST(PairGroups, NumberPairsAndSinglesByFirstMembers) {
  const PivotPartners partners{{2, 1, 0, 4, 3}, std::vector<char>(5, 1)};
  EXPECT_EQ(pair_groups(partners), (std::vector<Node>{0, 1, 0, 2, 2}));
}

// Variables 0..n-1 of a quotient of groups; each waits or not; each partner is a neighbour.
TEST(PlacedAfterPartners, NobodyWaitsAtTheFrontOfItsNeighboursWithoutNeed) {
  Random random(2);
  Index moved = 0;
  for (int round = 0; round < 200; ++round) {
    const Index n = 2 + round % 30;
    const SparseMatrix<double> A = twin::random_matrix(n, 1.0, random, true);
    const Graph graph = symmetrised_graph(A.start, A.row, {});
    PivotPartners partners{std::vector<Node>(n), std::vector<char>(n)};
    for (Node v = 0; v < n; ++v) partners.partner[v] = v;
    for (Node v = 0; v < n; ++v) {
      partners.waits[v] = random.below(2) == 0;
      for (Node w : graph.neighbours(v))
        if (partners.partner[v] == v && partners.partner[w] == w) {
          partners.partner[v] = w;
          partners.partner[w] = v;
        }
    }
    std::vector<Node> group(n);
    Node groups = 0;
    for (Node v = 0; v < n; ++v)
      group[v] = round % 2 == 1 && v > 0 && random.below(4) == 0 ? group[v - 1] : groups++;
    const QuotientGraph quotient = sparse::quotient(graph, group);
    const std::vector<Index> permutation = twin::random_permutation(groups, random);
    const std::vector<Node> order(permutation.begin(), permutation.end());
    const std::vector<Node> placed = placed_after_partners(quotient, partners, order);
    ASSERT_TRUE(twin::is_permutation({placed.begin(), placed.end()}, groups));
    moved += placed != order;

    if (round % 2 == 1) continue;  // groups may form rings; single variables must not be left waiting
    std::vector<Node> position(n);
    for (Node k = 0; k < n; ++k) position[placed[k]] = k;
    for (Node v = 0; v < n; ++v) {
      const Node partner = partners.partner[v];
      if (!partners.waits[v] || partner == v) continue;
      bool first = true;
      for (Node w : graph.neighbours(v)) first = first && position[w] > position[v];
      // Only when its partner waits for it in turn, and follows it.
      EXPECT_TRUE(!first || partners.waits[partner]) << "variable " << v;
    }
  }
  EXPECT_GT(moved, 0);
}

// Node k is variables 2k and 2k + 1, a path of nodes; the first of each waits for the second of the next, so that all but one
// are found behind an ever longer row of waiting nodes. Each node walked to the row's end once would take hours.
TEST(PlacedAfterPartners, ALongRowOfWaitingNodesIsPlacedFromItsEnd) {
  const Node nodes = 1'000'000;
  PivotPartners partners{std::vector<Node>(2 * nodes), std::vector<char>(2 * nodes, 1)};
  QuotientGraph path;
  for (Node v = 0; v < nodes; ++v) {
    partners.partner[2 * v] = 2 * std::min(v + 1, nodes - 1) + 1;
    partners.partner[2 * v + 1] = 2 * std::max(v - 1, 0);
    path.member.insert(path.member.end(), {2 * v, 2 * v + 1});
    path.member_start.push_back(2 * v + 2);
  }
  std::vector<Node> order(nodes), from_the_end(nodes);
  std::iota(from_the_end.rbegin(), from_the_end.rend(), 0);
  std::copy(from_the_end.begin() + 1, from_the_end.end(), order.begin());
  order.back() = nodes - 1;
  for (Node v = 0; v < nodes; ++v) {
    if (v > 0) path.graph.neighbour.push_back(v - 1);
    if (v + 1 < nodes) path.graph.neighbour.push_back(v + 1);
    path.graph.start.push_back(std::ssize(path.graph.neighbour));
  }
  EXPECT_EQ(placed_after_partners(path, partners, order), from_the_end);
}

}  // namespace
}  // namespace overlapack::sparse
