#include "sparse/analysis/graph/elimination_tree.hpp"

#include "elimination_twin.hpp"

#include <gtest/gtest.h>

namespace overlapack::sparse {
namespace {

std::vector<Index> as_index(const std::vector<Node>& v) { return {v.begin(), v.end()}; }

// The tree in postorder: the subtree of k is the run of positions that ends with k.
void expect_postordered(const std::vector<Node>& parent) {
  std::vector<Node> size(parent.size(), 1);
  for (Node k = 0; k < static_cast<Node>(parent.size()); ++k) {
    if (parent[k] < 0) continue;
    ASSERT_GT(parent[k], k);
    size[parent[k]] += size[k];
  }
  for (Node k = 0; k < static_cast<Node>(parent.size()); ++k) {
    if (parent[k] < 0) continue;
    EXPECT_GT(k - size[k] + 1, parent[k] - size[parent[k]])
        << "node " << k << " leaves the run of its parent";
  }
}

TEST(EliminationTree, ParentsAndCountsAreThoseOfDenseElimination) {
  Random random(5);
  for (Index n : {1, 2, 3, 10, 33, 60}) {
    for (double per_row : {0.0, 0.4, 1.0, 3.0}) {
      const SparseMatrix<double> A = twin::random_matrix(n, per_row, random);
      const QuotientGraph quotient = trivial_quotient(symmetrised_graph(A.start, A.row, {}));
      const std::vector<Index> permutation = twin::random_permutation(n, random);
      const std::vector<Node> order(permutation.begin(), permutation.end());
      const EliminationTree tree = elimination_tree(quotient.graph, order);
      const std::vector<Index> final_order = as_index(tree.order);
      ASSERT_TRUE(twin::is_permutation(final_order, n));
      expect_postordered(tree.parent);

      const twin::Pattern filled = twin::eliminate(A, final_order, final_order);
      EXPECT_EQ(twin::lower_nnz(filled), twin::lower_nnz(twin::eliminate(A, permutation, permutation)))
          << "the postorder is not equivalent to the given order";
      const std::vector<Index> counts = column_counts(quotient, tree);
      for (Index k = 0; k < n; ++k) {
        Index count = 0, parent = -1;
        for (Index i = n - 1; i >= k; --i) {
          count += filled[i][k];
          if (filled[i][k] && i > k) parent = i;
        }
        EXPECT_EQ(tree.position[tree.order[k]], k);
        EXPECT_EQ(tree.parent[k], parent);
        EXPECT_EQ(counts[k], count);
      }
    }
  }
}

TEST(ColumnCounts, OfGroupsCountTheRowsOfAllMembers) {
  Random random(6);
  for (int round = 0; round < 20; ++round) {
    const Index n = 40;
    const SparseMatrix<double> A = twin::random_matrix(n, 1.2, random, true);
    std::vector<Node> group(n);
    Node groups = 0;
    for (Node v = 0; v < n; ++v) group[v] = v > 0 && random.below(2) == 0 ? group[v - 1] : groups++;
    const QuotientGraph quotient = sparse::quotient(symmetrised_graph(A.start, A.row, {}), group);
    std::vector<Index> permutation = twin::random_permutation(groups, random);
    const EliminationTree tree =
        elimination_tree(quotient.graph, {std::vector<Node>(permutation.begin(), permutation.end())});
    const std::vector<Index> counts = column_counts(quotient, tree);

    // The twin eliminates the quotient graph itself and weighs its rows.
    SparseMatrix<double> Q;
    Q.rows = Q.cols = groups;
    Q.start = quotient.graph.start;
    Q.row = as_index(quotient.graph.neighbour);
    const std::vector<Index> final_order = as_index(tree.order);
    const twin::Pattern filled = twin::eliminate(Q, final_order, final_order);
    for (Node k = 0; k < groups; ++k) {
      Index expected = 0;
      for (Node i = k; i < groups; ++i) expected += filled[i][k] ? quotient.weight(tree.order[i]) : 0;
      EXPECT_EQ(counts[k], expected);
    }
  }
}

TEST(Postorder, FollowsTheGivenOrderOfChildren) {
  // 0 and 1 are children of 3; 2 is a child of 4, as is 3.
  const std::vector<Node> parent{3, 3, 4, 4, -1};
  EXPECT_EQ(postorder(parent), (std::vector<Node>{2, 0, 1, 3, 4}));
  const std::vector<Node> children_order{4, 3, 2, 1, 0};
  EXPECT_EQ(postorder(parent, children_order), (std::vector<Node>{1, 0, 3, 2, 4}));
}

TEST(EliminationTree, OfADeepChainNeedsNoRecursion) {
  const Index n = 300000;
  SparseMatrix<double> A;  // tridiagonal
  A.rows = A.cols = n;
  std::vector<Node> order(n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = std::max<Index>(0, j - 1); i <= std::min(n - 1, j + 1); ++i) A.row.push_back(i);
    A.start.push_back(static_cast<Index>(A.row.size()));
    order[j] = static_cast<Node>(j);
  }
  const QuotientGraph quotient = trivial_quotient(symmetrised_graph(A.start, A.row, {}));
  const EliminationTree tree = elimination_tree(quotient.graph, order);
  const std::vector<Index> counts = column_counts(quotient, tree);
  for (Node k = 0; k + 1 < n; ++k) {
    ASSERT_EQ(tree.parent[k], k + 1);
    ASSERT_EQ(counts[k], 2);
  }
}

}  // namespace
}  // namespace overlapack::sparse
