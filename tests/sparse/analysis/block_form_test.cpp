#include "sparse/analysis/block_form.hpp"

#include "base/random.hpp"
#include "comm/tasks.hpp"
#include "overlapack/generate.hpp"
#include "sparse/analysis/graph/dulmage_mendelsohn.hpp"
#include "sparse/analysis/graph/graph.hpp"
#include "sparse/analysis/graph/strong_components.hpp"
#include "sparse/analysis/scaling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace overlapack::sparse {
namespace {

struct Pattern {
  Index n = 0;
  std::vector<Index> start{0}, row;
};

Pattern random_pattern(Index n, double per_column, std::uint64_t seed) {
  Random random(seed);
  Pattern p;
  p.n = n;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i)
      if (random.uniform(0, 1) * static_cast<double>(n) < per_column) p.row.push_back(i);
    p.start.push_back(static_cast<Index>(p.row.size()));
  }
  return p;
}

/// The transitive closure, by Warshall's three loops.
std::vector<std::vector<char>> closure(const Pattern& p, const std::vector<Node>& node_of_row) {
  const auto n = static_cast<std::size_t>(p.n);
  std::vector<std::vector<char>> reach(n, std::vector<char>(n));
  for (std::size_t j = 0; j < n; ++j) {
    reach[j][j] = 1;
    for (Index k = p.start[j]; k < p.start[j + 1]; ++k) reach[j][node_of_row[p.row[k]]] = 1;
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) reach[i][j] |= static_cast<char>(reach[i][k] & reach[k][j]);
  return reach;
}

TEST(StrongComponents, AreThoseOfTheTransitiveClosure) {
  Index several = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Pattern p =
        random_pattern(1 + static_cast<Index>(seed) % 23, 0.4 + 0.05 * static_cast<double>(seed), seed);
    std::vector<Node> node_of_row(static_cast<std::size_t>(p.n));
    for (Index i = 0; i < p.n; ++i) node_of_row[i] = static_cast<Node>((i * 5 + 2) % p.n);
    if (p.n % 5 == 0) std::iota(node_of_row.begin(), node_of_row.end(), 0);
    const StrongComponents found = strong_components(p.start, p.row, node_of_row);
    const auto reach = closure(p, node_of_row);
    std::vector<Node> component(static_cast<std::size_t>(p.n), -1);
    for (Node b = 0; b < found.count(); ++b)
      for (Node k = found.start[b]; k < found.start[b + 1]; ++k) component[found.order[k]] = b;
    several += found.count() > 1 && found.count() < p.n;
    for (Index i = 0; i < p.n; ++i)
      for (Index j = 0; j < p.n; ++j) {
        EXPECT_EQ(component[i] == component[j], reach[i][j] && reach[j][i]);
        if (reach[j][i]) {
          EXPECT_LE(component[i], component[j]);
        }
      }
  }
  EXPECT_GT(several, 10);
}

/// Size and members of a largest matching of the pattern without one column or row, by augmenting paths.
class Matcher {
 public:
  explicit Matcher(const Pattern& p, Index without_column = -1, Index without_row = -1)
      : p_(p), without_row_(without_row), column_of(p.n, -1), row_of(p.n, -1) {
    for (Index j = 0; j < p.n; ++j) {
      seen_.assign(static_cast<std::size_t>(p.n), 0);
      if (j != without_column) size += augment(j);
    }
  }
  Index size = 0;

 private:
  bool augment(Index j) {
    for (Index k = p_.start[j]; k < p_.start[j + 1]; ++k) {
      const Index i = p_.row[k];
      if (i == without_row_ || seen_[i]) continue;
      seen_[i] = 1;
      if (column_of[i] >= 0 && !augment(column_of[i])) continue;
      column_of[i] = j;
      row_of[j] = i;
      return true;
    }
    return false;
  }
  const Pattern& p_;
  Index without_row_;
  std::vector<char> seen_;

 public:
  std::vector<Index> column_of, row_of;
};

TEST(DulmageMendelsohn, TellsWhatSomeLargestMatchingLeavesOut) {
  Index deficient = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Pattern p =
        random_pattern(1 + static_cast<Index>(seed) % 17, 0.5 + 0.03 * static_cast<double>(seed), seed);
    const Matcher all(p);
    deficient += all.size < p.n;
    const DulmageMendelsohn parts = dulmage_mendelsohn(p.start, p.row, all.row_of);
    for (Index v = 0; v < p.n; ++v) {
      EXPECT_EQ(parts.column[v] == CoarsePart::under, Matcher(p, v).size == all.size)
          << seed << " column " << v;
      EXPECT_EQ(parts.row[v] == CoarsePart::over, Matcher(p, -1, v).size == all.size) << seed << " row " << v;
    }
    EXPECT_EQ(parts.under_columns - parts.under_rows, p.n - all.size);
    EXPECT_EQ(parts.over_rows - parts.over_columns, p.n - all.size);
    EXPECT_EQ(std::ranges::count(parts.row, CoarsePart::square),
              std::ranges::count(parts.column, CoarsePart::square));
  }
  EXPECT_GT(deficient, 10);
}

/// A chain of `blocks` dense blocks of order m, the columns of each with an entry in the last row of the one before.
SparseMatrix<double> chain_of_blocks(Index blocks, Index m) {
  SparseMatrix<double> A;
  A.rows = A.cols = blocks * m;
  for (Index j = 0; j < A.cols; ++j) {
    const Index b = j / m;
    if (b > 0) {
      A.row.push_back(b * m - 1);
      A.value.push_back(1);
    }
    for (Index i = b * m; i < (b + 1) * m; ++i) {
      A.row.push_back(i);
      A.value.push_back(i == j ? static_cast<double>(2 * m) : 1);
    }
    A.start.push_back(A.nnz());
  }
  return A;
}

TEST(BlockForm, AutoTakesItForLowFillAndForReducibleMatrices) {
  AnalysisPlan plan;
  plan.block_form = {};
  const Analysis narrow = analyse(chain_of_blocks(40, 3), plan);
  EXPECT_EQ(narrow.blocks(), 40);
  EXPECT_TRUE(narrow.inner_block.empty());
  EXPECT_EQ(narrow.factor_nnz, 40 * 9 + 39 * 3);
  EXPECT_EQ(narrow.ordering, "amd");
  EXPECT_EQ(narrow.structural_rank, 120);

  plan.blocks_most_entries = 1000;
  const Analysis one_dense = analyse(chain_of_blocks(1, 150), plan);
  EXPECT_FALSE(one_dense.method == Method::block_triangular);
  EXPECT_GT(one_dense.tree.fronts(), 0);
  const Analysis several_dense = analyse(chain_of_blocks(3, 150), plan);
  EXPECT_EQ(several_dense.inner_block, (std::vector<Index>{0, 1, 2}));
  Index held = 2 * 150;
  for (const Analysis& front : several_dense.inner_analysis) held += front.factor_nnz;
  EXPECT_EQ(several_dense.factor_nnz, held);
  plan.block_form = Switch::off;
  EXPECT_FALSE(analyse(chain_of_blocks(40, 3), plan).method == Method::block_triangular);
}

/// Two models side by side, with an entry between them or without.
SparseMatrix<double> side_by_side(Index first, Index second, bool is_coupled) {
  SparseMatrix<double> A = generate("convection", first);
  const SparseMatrix<double> B = generate("convection", second);
  const Index n = A.cols;
  for (Index j = 0; j < B.cols; ++j) {
    if (is_coupled && j == 0) {
      A.row.push_back(0);
      A.value.push_back(0.1);
    }
    for (Index p = B.start[j]; p < B.start[j + 1]; ++p) {
      A.row.push_back(n + B.row[p]);
      A.value.push_back(B.value[p]);
    }
    A.start.push_back(A.nnz());
  }
  A.rows = A.cols = n + B.cols;
  return A;
}

TEST(BlockForm, TheOrderOfBlocksIsThatOfTheWholeWhereNothingIsBesideThem) {
  for (const bool is_coupled : {false, true}) {
    const SparseMatrix<double> A = side_by_side(12, 5, is_coupled);
    AnalysisPlan plan;
    plan.block_form = {};
    comm::Tasks tasks(1);
    BlockTrial trial;
    ASSERT_FALSE(analyse_by_blocks(A, choose_scaling(A, plan, tasks), plan, trial, tasks));
    EXPECT_EQ(trial.edges == pattern_graph(A.start, A.row, tasks).neighbour.size(), !is_coupled);
    std::ranges::sort(trial.order);
    std::vector<Node> all(static_cast<std::size_t>(A.cols));
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(trial.order, all);
    const Analysis tried = analyse(A, plan);
    plan.block_form = Switch::off;
    EXPECT_EQ(tried.method, Method::multifrontal);
    EXPECT_EQ(tried.ordering, "amd");
    EXPECT_LE(tried.flops, 1.1 * analyse(A, plan).flops);
  }
}

TEST(BlockForm, FrontsOfABlockKeepItsOrder) {
  const SparseMatrix<double> A = side_by_side(12, 12, true);
  AnalysisPlan plan;
  plan.block_form = {};
  const Analysis both = analyse(A, plan);
  ASSERT_EQ(both.inner_block.size(), 2u);
  plan.block_form = Switch::off;
  const double alone = analyse(generate("convection", 12), plan).flops;
  for (const Analysis& inner : both.inner_analysis) EXPECT_LE(inner.flops, 1.1 * alone);
  plan.amd_order.resize(512);  // a known order is taken
  std::iota(plan.amd_order.begin(), plan.amd_order.end(), 0);
  const Analysis by_number = analyse(generate("convection", 8), plan);
  plan.ordering = Ordering::natural;
  EXPECT_EQ(by_number.col_perm, analyse(generate("convection", 8), plan).col_perm);
}

TEST(BlockForm, AnOrderOfVariablesIsNotTakenWhereTheyAreMerged) {
  const SparseMatrix<double> A = generate("elasticity", 8);  // three variables at each point
  AnalysisPlan plan;
  plan.kind = FactorKind::ldlt;
  plan.ordering = Ordering::amd;
  const Analysis usual = analyse(A, plan);
  EXPECT_EQ(usual.variable_block, 3);
  plan.amd_order.resize(static_cast<std::size_t>(A.cols));
  std::iota(plan.amd_order.begin(), plan.amd_order.end(), 0);
  EXPECT_EQ(analyse(A, plan).col_perm, usual.col_perm);
}

}  // namespace
}  // namespace overlapack::sparse
