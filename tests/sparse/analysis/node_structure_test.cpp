#include "sparse/analysis/columns/node_structure.hpp"

#include "base/random.hpp"
#include "overlapack/generate.hpp"
#include "sparse/analysis/analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace overlapack::sparse {
namespace {

/// A pattern by columns and as a square of flags; B is it, row and column positions being those of the caller.
struct SquarePattern {
  Index n;
  std::vector<Index> start{0}, row;
  std::vector<Node> row_position, column_position;

  PermutedPattern view() const { return {start, row, row_position, column_position}; }
  bool holds(Node i, Node j) const {  // of B
    const auto c = std::ranges::find(column_position, j) - column_position.begin();
    for (Index k = start[c]; k < start[c + 1]; ++k)
      if (row_position[row[k]] == i) return true;
    return false;
  }
};

SquarePattern square_pattern(Index n, double per_column, Random& random) {
  SquarePattern p{n, {0}, {}, {}, {}};
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i)
      if (random.uniform(0, 1) * static_cast<double>(n) < per_column) p.row.push_back(i);
    p.start.push_back(static_cast<Index>(p.row.size()));
  }
  for (auto* position : {&p.row_position, &p.column_position}) {
    position->resize(static_cast<std::size_t>(n));
    std::iota(position->begin(), position->end(), 0);
    for (Index k = n - 1; k > 0; --k)
      std::swap((*position)[k], (*position)[random.below(static_cast<std::uint64_t>(k) + 1)]);
  }
  return p;
}

using Flags = std::vector<std::vector<char>>;

/// L + U of B with squares of nodes that are full, by elimination of flags.
Flags eliminated(const SquarePattern& p, const std::vector<Node>& bounds) {
  const auto n = static_cast<std::size_t>(p.n);
  Flags B(n, std::vector<char>(n));
  for (Node i = 0; i < p.n; ++i)
    for (Node j = 0; j < p.n; ++j) B[i][j] = p.holds(i, j);
  for (std::size_t k = 0; k + 1 < bounds.size(); ++k)
    for (Node i = bounds[k]; i < bounds[k + 1]; ++i)
      for (Node j = bounds[k]; j < bounds[k + 1]; ++j) B[i][j] = 1;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i)
      for (std::size_t j = k + 1; j < n; ++j) B[i][j] |= static_cast<char>(B[i][k] & B[k][j]);
  return B;
}

bool has(std::span<const std::int32_t> list, std::int32_t v) {
  return std::ranges::find(list, v) != list.end();
}

/// i in R(K), j in C(K): in a square, in R of j's node, or in C of i's.
void expect_closed(const NodeStructure& s) {
  const std::vector<std::int32_t> node = node_of_variable(s);
  for (Index k = 0; k < s.nodes(); ++k)
    for (const std::int32_t i : s.rows(k))
      for (const std::int32_t j : s.columns(k)) {
        EXPECT_GT(std::min(node[i], node[j]), k);
        EXPECT_TRUE(node[i] <= node[j] || has(s.rows(node[j]), i)) << k << ": " << i << ", " << j;
        EXPECT_TRUE(node[j] <= node[i] || has(s.columns(node[i]), j)) << k << ": " << i << ", " << j;
      }
}

TEST(NodeStructure, OfSingleColumnsIsThatOfElimination) {
  Random random(3);
  Index fill = 0;
  for (Index n = 1; n <= 60; n += n < 8 ? 1 : 13)
    for (const double per_column : {0.5, 1.5, 3.0, 6.0}) {
      const SquarePattern p = square_pattern(n, per_column, random);
      std::vector<Node> bounds(static_cast<std::size_t>(n) + 1);
      std::iota(bounds.begin(), bounds.end(), 0);
      const NodeStructure s = node_structure(bounds, p.view());
      const Flags B = eliminated(p, bounds);
      double entries = static_cast<double>(n);
      for (Node k = 0; k < n; ++k)
        for (Node v = k + 1; v < n; ++v) {
          EXPECT_EQ(has(s.rows(k), v), B[v][k] != 0) << "n = " << n << ": L(" << v << ", " << k << ")";
          EXPECT_EQ(has(s.columns(k), v), B[k][v] != 0) << "n = " << n << ": U(" << k << ", " << v << ")";
          entries += B[v][k] + B[k][v];
          fill += B[v][k] && !p.holds(v, k);
        }
      EXPECT_EQ(factor_entries(s), entries);
    }
  EXPECT_GT(fill, 100);
}

TEST(NodeStructure, OfWiderNodesHoldsTheFillAndIsClosed) {
  Random random(5);
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<Index>(1 + random.below(60));
    const SquarePattern p = square_pattern(n, 0.5 + 3 * random.uniform(0, 1), random);
    std::vector<Node> bounds{0};
    while (bounds.back() < n)
      bounds.push_back(
          static_cast<Node>(std::min<Index>(n, bounds.back() + 1 + static_cast<Index>(random.below(5)))));
    const NodeStructure s = node_structure(bounds, p.view()), leveled = sort_by_levels(s);
    const Flags B = eliminated(p, bounds);
    const std::vector<std::int32_t> node = node_of_variable(s);
    for (Node i = 0; i < n; ++i)
      for (Node j = 0; j < n; ++j) {
        EXPECT_TRUE(!B[i][j] || node[i] <= node[j] || has(s.rows(node[j]), i)) << i << ", " << j;
        EXPECT_TRUE(!B[i][j] || node[j] <= node[i] || has(s.columns(node[i]), j)) << i << ", " << j;
      }
    expect_closed(s);
    expect_closed(leveled);
    EXPECT_EQ(factor_entries(leveled), factor_entries(s));
    EXPECT_EQ(factor_flops(leveled), factor_flops(s));
  }
}

TEST(NodeStructure, LevelsAreAsFewAsTheLongestChain) {
  // two chains 0-1-2 and 3-4-5 that meet in 6
  SquarePattern p{7, {0}, {}, {0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5, 6}};
  for (Index j = 0; j < 7; ++j) {
    p.row.push_back(j);
    if (j != 2 && j != 6) p.row.push_back(j + 1);
    if (j == 2) p.row.push_back(6);
    p.start.push_back(static_cast<Index>(p.row.size()));
  }
  const std::vector<Node> bounds{0, 1, 2, 3, 4, 5, 6, 7};
  const NodeStructure s = sort_by_levels(node_structure(bounds, p.view()));
  EXPECT_EQ(std::vector<std::int32_t>(s.first.begin(), s.first.end()),
            (std::vector<std::int32_t>{0, 3, 1, 4, 2, 5, 6}));
}

TEST(NodeStructure, BoundsAreThoseOfFrontsCutAndJoined) {
  const SparseMatrix<double> A = generate("cube", 9);
  AnalysisPlan plan;
  const Analysis analysis = analyse(A, plan);
  const auto fronts = node_bounds(analysis.tree, {.max_width = 1000000, .relax = 0});
  EXPECT_TRUE(std::equal(fronts.begin(), fronts.end(), analysis.tree.first_pivot.begin(),
                         analysis.tree.first_pivot.end()));
  Index cut = 0, joined = 0;
  for (const Index width : {1, 5, 24}) {
    const auto bounds = node_bounds(analysis.tree, {.max_width = width, .relax = 12});
    for (std::size_t k = 0; k + 1 < bounds.size(); ++k) {
      EXPECT_GT(bounds[k + 1], bounds[k]);
      EXPECT_LE(bounds[k + 1] - bounds[k], width);
      cut += !std::ranges::count(analysis.tree.first_pivot, bounds[k]);
    }
    for (const Index first : analysis.tree.first_pivot) joined += !std::ranges::count(bounds, first);
    EXPECT_EQ(bounds.back(), A.rows);
  }
  EXPECT_GT(cut, 0);
  EXPECT_GT(joined, 0);
}

}  // namespace
}  // namespace overlapack::sparse
