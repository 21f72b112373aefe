#include "sparse/analysis/fronts/front_forest.hpp"

#include "elimination_twin.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace overlapack::sparse {
namespace {

struct Case {
  SparseMatrix<double> A;
  QuotientGraph quotient;
  EliminationTree tree;
  FrontForest fronts;
  twin::Pattern filled;
};

Case make_case(Index n, double per_row, Random& random) {
  Case c;
  c.A = twin::random_matrix(n, per_row, random, true);
  c.quotient = trivial_quotient(symmetrised_graph(c.A.start, c.A.row, {}));
  const std::vector<Index> permutation = twin::random_permutation(n, random);
  c.tree = elimination_tree(c.quotient.graph, std::vector<Node>(permutation.begin(), permutation.end()));
  c.fronts = fundamental_fronts(c.quotient, c.tree, column_counts(c.quotient, c.tree));
  const std::vector<Index> order(c.tree.order.begin(), c.tree.order.end());
  c.filled = twin::eliminate(c.A, order, order);
  return c;
}

TEST(FundamentalFronts, AreTheLongestChainsOfEqualColumnsWithOneChild) {
  Random random(7);
  for (int round = 0; round < 30; ++round) {
    const Index n = 1 + 2 * round;
    const Case c = make_case(n, 1.0, random);
    std::vector<int> children(n, 0);
    for (Node up : c.tree.parent)
      if (up >= 0) ++children[up];
    for (Index k = 1; k < n; ++k) {
      bool equal = c.filled[k][k - 1] && children[k] == 1;
      for (Index i = k; i < n; ++i) equal = equal && c.filled[i][k] == c.filled[i][k - 1];
      EXPECT_EQ(c.fronts.front_of[k] == c.fronts.front_of[k - 1], equal) << "column " << k;
    }
    double nnz = 0;
    for (Node f = 0; f < c.fronts.fronts(); ++f)
      nnz += front_factor_nnz(FactorKind::cholesky, c.fronts.order[f], c.fronts.pivots[f]);
    EXPECT_EQ(nnz, static_cast<double>(twin::lower_nnz(c.filled)));
  }
}

AmalgamationRule everything() {
  static const std::vector<Index> width{std::numeric_limits<Index>::max()};
  static const std::vector<double> zeros{1.0};
  return {width, zeros, 1.0};
}

AmalgamationRule no_zeros() {
  static const std::vector<Index> width{4};
  static const std::vector<double> zeros{0.0};
  return {width, zeros, 0.0};
}

// The rows of all columns that a front eliminates, as the twin finds them.
std::vector<bool> rows_of_front(const Case& c, const FrontForest& fronts, Node f) {
  const auto n = static_cast<Node>(c.tree.parent.size());
  std::vector<bool> rows(n, false);
  for (Node k = 0; k < n; ++k)
    if (fronts.front_of[k] == f)
      for (Node i = k; i < n; ++i) rows[i] = rows[i] || c.filled[i][k];
  return rows;
}

void expect_consistent(const Case& c, const FrontForest& fronts) {
  for (Node f = 0; f < fronts.fronts(); ++f) {
    EXPECT_TRUE(fronts.parent[f] < 0 || fronts.parent[f] > f);
    const std::vector<bool> rows = rows_of_front(c, fronts, f);
    EXPECT_EQ(fronts.order[f], std::count(rows.begin(), rows.end(), true)) << "front " << f;
    EXPECT_EQ(fronts.pivots[f], std::count(fronts.front_of.begin(), fronts.front_of.end(), f));
  }
}

TEST(Amalgamation, AJointFrontHasTheUnionOfTheRows) {
  Random random(8);
  for (int round = 0; round < 20; ++round) {
    const Case c = make_case(50, 0.8, random);
    const AmalgamationRule rule = round % 2 == 0 ? everything() : no_zeros();
    const FrontForest fronts = amalgamated(c.fronts, c.quotient, c.tree, FactorKind::ldlt, rule, {});
    expect_consistent(c, fronts);
    expect_consistent(c, ordered_for_memory(fronts, FactorKind::ldlt));
  }
}

TEST(Amalgamation, WithoutZerosKeepsTheEntriesOfTheFactor) {
  Random random(9);
  Index joined = 0;
  for (int round = 0; round < 20; ++round) {
    const Case c = make_case(50, 0.8, random);
    const FrontForest fronts = amalgamated(c.fronts, c.quotient, c.tree, FactorKind::ldlt, no_zeros(), {});
    joined += c.fronts.fronts() - fronts.fronts();
    double nnz = 0;
    for (Node f = 0; f < fronts.fronts(); ++f)
      nnz += front_factor_nnz(FactorKind::ldlt, fronts.order[f], fronts.pivots[f]);
    EXPECT_EQ(nnz, static_cast<double>(twin::lower_nnz(c.filled)));
  }
  EXPECT_GT(joined, 0);
}

TEST(Amalgamation, NeverRaisesThePredictedTimeAndObeysTheShareOfZeros) {
  Random random(10);
  for (int round = 0; round < 20; ++round) {
    const Case c = make_case(80, 1.0, random);
    const std::vector<Index> width{4, 16};
    const std::vector<double> zeros{0.5, 0.2};
    const FrontForest fronts =
        amalgamated(c.fronts, c.quotient, c.tree, FactorKind::lu, {width, zeros, 0.1}, {});
    EXPECT_LE(predicted_seconds(fronts, FactorKind::lu, {}), predicted_seconds(c.fronts, FactorKind::lu, {}));
    EXPECT_LT(fronts.fronts(), c.fronts.fronts());
    for (Node f = 0; f < fronts.fronts(); ++f) {
      double entries = 0;
      for (Node k = 0; k < 80; ++k)
        if (fronts.front_of[k] == f)
          for (Node i = k; i < 80; ++i) entries += c.filled[i][k];
      const double all = front_factor_nnz(FactorKind::ldlt, fronts.order[f], fronts.pivots[f]);
      const double share = fronts.pivots[f] <= 4 ? 0.5 : fronts.pivots[f] <= 16 ? 0.2 : 0.1;
      EXPECT_LE(all - entries, share * all);
    }
  }
}

// Nodes that have neighbours among the last `hubs` only, each `degree` of them.
Case make_star(Index leaves, Index hubs, Index degree, Random& random) {
  SparseMatrix<double> A;
  A.rows = A.cols = leaves + hubs;
  std::vector<std::vector<Index>> columns(static_cast<std::size_t>(A.cols));
  for (Index v = 0; v < leaves; ++v) {
    const std::vector<Index> hub = twin::random_permutation(hubs, random);
    for (Index i = 0; i < degree; ++i) {
      columns[v].push_back(leaves + hub[i]);
      columns[leaves + hub[i]].push_back(v);
    }
  }
  for (Index j = 0; j < A.cols; ++j) {
    for (Index i = j < leaves ? j : leaves; i < (j < leaves ? j + 1 : A.cols); ++i) columns[j].push_back(i);
    std::ranges::sort(columns[j]);
    A.row.insert(A.row.end(), columns[j].begin(), columns[j].end());
    A.start.push_back(static_cast<Index>(A.row.size()));
  }
  A.value.assign(A.row.size(), 1.0);
  Case c;
  c.A = std::move(A);
  c.quotient = trivial_quotient(symmetrised_graph(c.A.start, c.A.row, {}));
  std::vector<Node> order(static_cast<std::size_t>(c.A.cols));
  std::iota(order.begin(), order.end(), 0);
  c.tree = elimination_tree(c.quotient.graph, order);
  c.fronts = fundamental_fronts(c.quotient, c.tree, column_counts(c.quotient, c.tree));
  c.filled = twin::eliminate(c.A, {c.tree.order.begin(), c.tree.order.end()},
                             {c.tree.order.begin(), c.tree.order.end()});
  return c;
}

TEST(Amalgamation, LeavesOfAStarJoinEachOther) {
  Random random(12);
  for (const Index degree : {Index{12}, Index{7}}) {  // all hubs, or some of them
    const Case c = make_star(120, 12, degree, random);
    ASSERT_GE(c.fronts.fronts(), 120);
    const std::vector<Index> width{4, 16};
    const std::vector<double> zeros{0.8, 0.3};
    const FrontForest fronts =
        amalgamated(c.fronts, c.quotient, c.tree, FactorKind::lu, {width, zeros, 0.3}, {});
    EXPECT_LE(fronts.fronts(), 60);
    expect_consistent(c, fronts);
  }
}

// Memory when fronts are handled in the order `visit`: factors stay, a contribution block lives until its parent is
// assembled, the parent's own exists by then.
double peak_of(const FrontForest& forest, FactorKind kind, const std::vector<Node>& visit) {
  double held = 0, peak = 0;
  std::vector<double> borders_below(forest.fronts(), 0);
  for (Node f : visit) {
    const double border = contribution_nnz(kind, forest.order[f], forest.pivots[f]);
    held += front_factor_nnz(kind, forest.order[f], forest.pivots[f]) + border;
    peak = std::max(peak, held);
    held -= borders_below[f];
    if (forest.parent[f] >= 0) borders_below[forest.parent[f]] += border;
  }
  return peak;
}

std::vector<Node> numbers(Node n) {
  std::vector<Node> result(n);
  std::iota(result.begin(), result.end(), 0);
  return result;
}

TEST(OrderedForMemory, NoOtherPostorderNeedsLess) {
  Random random(11);
  for (int round = 0; round < 20; ++round) {
    const Case c = make_case(30, 0.7, random);
    for (FactorKind kind : {FactorKind::lu, FactorKind::cholesky}) {
      const FrontForest best = ordered_for_memory(c.fronts, kind);
      const double peak = peak_of(best, kind, numbers(best.fronts()));
      for (int trial = 0; trial < 200; ++trial) {
        const std::vector<Index> shuffled = twin::random_permutation(c.fronts.fronts(), random);
        const std::vector<Node> visit =
            postorder(c.fronts.parent, std::vector<Node>(shuffled.begin(), shuffled.end()));
        ASSERT_LE(peak, peak_of(c.fronts, kind, visit));
      }
    }
  }
}

}  // namespace
}  // namespace overlapack::sparse
