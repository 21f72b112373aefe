#include "sparse/analysis/graph/graph.hpp"

#include "comm/tasks.hpp"
#include "elimination_twin.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace overlapack::sparse {
namespace {

using Dense = std::vector<std::vector<bool>>;

Dense dense(const Graph& graph) {
  Dense result(graph.nodes(), std::vector<bool>(graph.nodes(), false));
  for (Node v = 0; v < graph.nodes(); ++v)
    for (Node w : graph.neighbours(v)) result[v][w] = true;
  return result;
}

TEST(SymmetrisedGraph, IsThePatternOfBPlusBTransposedWithoutDiagonal) {
  Random random(1);
  for (Index n : {1, 2, 17, 40}) {
    const SparseMatrix<double> A = twin::random_matrix(n, 2, random);
    const std::vector<Index> permutation = twin::random_permutation(n, random);
    const std::vector<Node> new_row(permutation.begin(), permutation.end());
    Dense expected(n, std::vector<bool>(n, false));
    for (Index j = 0; j < n; ++j)
      for (Index k = A.start[j]; k < A.start[j + 1]; ++k) {
        const Index i = new_row[A.row[k]];
        if (i != j) expected[i][j] = expected[j][i] = true;
      }
    const Graph graph = symmetrised_graph(A.start, A.row, new_row);
    EXPECT_EQ(dense(graph), expected);
    for (Node v = 0; v < graph.nodes(); ++v) {
      const auto list = graph.neighbours(v);
      EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), std::less_equal<>())) << "node " << v;
    }
  }
}

// Each node of a small random graph repeated: members of a block are joined to each other and to the same others.
Graph graph_of_blocks(Index blocks, Index block_size, Random& random) {
  const SparseMatrix<double> small = twin::random_matrix(blocks, 1.5, random, true);
  const Index n = blocks * block_size;
  Dense pattern(n, std::vector<bool>(n, false));
  for (Index j = 0; j < blocks; ++j)
    for (Index k = small.start[j]; k < small.start[j + 1]; ++k)
      for (Index a = 0; a < block_size; ++a)
        for (Index b = 0; b < block_size; ++b) pattern[small.row[k] + blocks * a][j + blocks * b] = true;
  const SparseMatrix<double> A = twin::from_entries(n, pattern, random);
  return symmetrised_graph(A.start, A.row, {});
}

TEST(IndistinguishableGroups, AreThoseOfPairwiseComparison) {
  Random random(2);
  for (int round = 0; round < 20; ++round) {
    const Graph graph = graph_of_blocks(3 + round, 1 + round % 3, random);
    Dense closed = dense(graph);
    for (std::size_t v = 0; v < closed.size(); ++v) closed[v][v] = true;
    const std::vector<Node> group = indistinguishable_groups(graph);
    for (std::size_t v = 0; v < closed.size(); ++v)
      for (std::size_t w = 0; w < closed.size(); ++w)
        EXPECT_EQ(group[v] == group[w], closed[v] == closed[w]) << v << " and " << w;
  }
}

TEST(IndistinguishableGroups, NodesWithEqualNeighboursThatAreNotNeighboursStayApart) {
  // A star: the leaves have the same neighbour and are no neighbours of each other.
  Dense pattern(5, std::vector<bool>(5, false));
  for (Index i = 0; i < 5; ++i) pattern[i][i] = pattern[0][i] = pattern[i][0] = true;
  Random random(3);
  const SparseMatrix<double> A = twin::from_entries(5, pattern, random);
  EXPECT_EQ(indistinguishable_groups(symmetrised_graph(A.start, A.row, {})),
            (std::vector<Node>{0, 1, 2, 3, 4}));
}

TEST(Quotient, JoinsNeighboursOfMembersAndListsMembers) {
  Random random(4);
  const SparseMatrix<double> A = twin::random_matrix(30, 2, random, true);
  const Graph graph = symmetrised_graph(A.start, A.row, {});
  std::vector<Node> group(30);
  Node groups = 0;
  for (Node v = 0; v < 30; ++v) group[v] = v > 0 && random.below(3) == 0 ? group[random.below(v)] : groups++;
  const QuotientGraph result = quotient(graph, group);
  Dense expected(groups, std::vector<bool>(groups, false));
  for (Node v = 0; v < 30; ++v)
    for (Node w : graph.neighbours(v))
      if (group[v] != group[w]) expected[group[v]][group[w]] = true;
  EXPECT_EQ(dense(result.graph), expected);
  Node members = 0;
  for (Node g = 0; g < groups; ++g)
    for (Node v : result.members(g)) {
      EXPECT_EQ(group[v], g);
      ++members;
    }
  EXPECT_EQ(members, 30);
}

TEST(Expanded, UndoesTheMergingOfIndistinguishableNodes) {
  Random random(5);
  const Graph graph = graph_of_blocks(12, 3, random);
  const QuotientGraph merged = quotient(graph, indistinguishable_groups(graph));
  const Graph result = expanded(merged);
  EXPECT_LT(merged.graph.nodes(), graph.nodes());
  Dense expected(graph.nodes(), std::vector<bool>(graph.nodes(), false));
  const Dense original = dense(graph);
  for (Node i = 0; i < graph.nodes(); ++i)
    for (Node j = 0; j < graph.nodes(); ++j) expected[i][j] = original[merged.member[i]][merged.member[j]];
  EXPECT_EQ(dense(result), expected);
  for (Node v = 0; v < result.nodes(); ++v) {
    const auto list = result.neighbours(v);
    EXPECT_TRUE(std::is_sorted(list.begin(), list.end(), std::less_equal<>())) << "node " << v;
  }
}

TEST(Graph, KnowsWhetherEachEntryHasAnImage) {
  comm::Tasks tasks(1);
  const auto is_symmetric = [&](const std::vector<Index>& start, const std::vector<Index>& row) {
    return has_symmetric_pattern(start, row, tasks);
  };
  EXPECT_TRUE(is_symmetric({0}, {}));
  EXPECT_TRUE(is_symmetric({0, 1, 1}, {0}));   // a diagonal entry
  EXPECT_FALSE(is_symmetric({0, 1, 1}, {1}));  // (1, 0) alone
  EXPECT_TRUE(is_symmetric({0, 1, 2}, {1, 0}));
  EXPECT_TRUE(is_symmetric({0, 2, 3, 4}, {1, 2, 0, 0}));
  EXPECT_FALSE(
      is_symmetric({0, 1, 2, 3}, {1, 2, 0}));  // a cycle: as many entries below as above would be 2 and 1
  EXPECT_FALSE(is_symmetric({0, 1, 2, 2, 2}, {2, 3}));
  EXPECT_FALSE(is_symmetric({0, 1, 1, 1, 2}, {2, 1}));  // one below, one above, of other places
}

TEST(Graph, OfNothingIsEmpty) {
  const std::vector<Index> start{0};
  const Graph graph = symmetrised_graph(start, {}, {});
  EXPECT_EQ(graph.nodes(), 0);
  EXPECT_TRUE(indistinguishable_groups(graph).empty());
  EXPECT_EQ(quotient(graph, {}).graph.nodes(), 0);
}

}  // namespace
}  // namespace overlapack::sparse
