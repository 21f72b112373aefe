#include "sparse/block_triangular/block_problems.hpp"
#include "sparse/block_triangular/columns/column_nodes.hpp"
#include "sparse/block_triangular/columns/column_refactor.hpp"
#include "sparse/block_triangular/expectations.hpp"

#include <algorithm>

/// Patterns that the analysis predicts: beside those that a search finds, on all engines, and where a pivot is not as predicted.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class PredictedColumns : public ::testing::Test {};
using ScalarTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(PredictedColumns, ScalarTypes);

/// Two grids with unsymmetric values, a chain, blocks of order 1, and entries of each block in those before it. The diagonal is large.
template <class T>
SparseMatrix<T> grids_and_chain(std::uint64_t seed = 7) {
  Random random(seed);
  Triplets<T> entries;
  Index first = 0;
  const auto add_grid = [&](Index width, Index height) {
    const auto couple = [&](Index i, Index j) {
      entries.add(first + i, first + j, random_value<T>(random));
      entries.add(first + j, first + i, random_value<T>(random));
    };
    for (Index k = 0; k < width * height; ++k) {
      entries.add(first + k, first + k, T(5) + random_value<T>(random));
      if (k % width + 1 < width) couple(k, k + 1);
      if (k + width < width * height) couple(k, k + width);
      if (first > 0)
        entries.add(static_cast<Index>(random.below(static_cast<std::uint64_t>(first))), first + k,
                    random_value<T>(random));
    }
    first += width * height;
  };
  add_grid(1, 1);
  add_grid(9, 8);
  add_grid(1, 1);
  add_grid(40, 1);
  add_grid(6, 11);
  add_grid(1, 1);
  entries.rows = entries.cols = first;
  return compress(std::move(entries)).matrix;
}

template <class T>
std::vector<Node> sorted_rows(const EntryColumns<T>& columns, Index k) {
  std::vector<Node> rows(columns.row.begin() + columns.start[k], columns.row.begin() + columns.start[k + 1]);
  std::ranges::sort(rows);
  return rows;
}

/// Pivots on the diagonal, no sum that is zero: the search finds what was predicted.
TYPED_TEST(PredictedColumns, AreThoseOfTheSearch) {
  using T = TypeParam;
  const auto A = grids_and_chain<T>();
  for (const AnalysisPlan& plan : {by_blocks(), mixed()}) {
    const Analysis analysis = analyse(A, plan);
    ASSERT_FALSE(analysis.columns.empty());
    const FactorPlan factor_plan;
    const PivotTest<T> test = pivot_test<T>(factor_plan, FactorKind::lu, 0);
    ColumnFactors<T> predicted, found;
    predicted_columns(analysis, predicted);
    ColumnRefactor<T> numbers(A, analysis, test, factor_plan, 1, predicted);
    numbers.advance(A.cols);
    ASSERT_EQ(numbers.right_until(), A.cols);
    ColumnLu<T>(A, analysis, test, factor_plan, found).advance(A.cols);
    EXPECT_EQ(predicted.row_of_pivot, found.row_of_pivot);
    EXPECT_EQ(predicted.lower.start, found.lower.start);
    EXPECT_EQ(predicted.upper.start, found.upper.start);
    for (Index k = 0; k < A.cols; ++k) {
      EXPECT_EQ(sorted_rows(predicted.lower, k), sorted_rows(found.lower, k)) << k;
      EXPECT_EQ(sorted_rows(predicted.upper, k), sorted_rows(found.upper, k)) << k;
      EXPECT_LE(std::abs(predicted.pivot[k] - found.pivot[k]), tolerance<T>(A.cols)) << k;
    }
    const std::vector<Node> nodes = predicted.node_end;
    arrange_by_nodes(predicted);
    EXPECT_EQ(nodes, predicted.node_end);
  }
}

TYPED_TEST(PredictedColumns, FactorizeOnAllRanksWithTheSameBits) {
  using T = TypeParam;
  const auto A = grids_and_chain<T>();
  FactorPlan plan;
  plan.columns.shared_from_s = 0;
  plan.columns.at_once = 16;
  for (const AnalysisPlan& analysis_plan : {by_blocks(), mixed()}) {
    const Analysis analysis = analyse(A, analysis_plan);
    const auto b = random_vector<T>(A.cols, 3);
    std::vector<T> alone;
    each_team({}, [&](comm::Team& team) {
      std::vector<T> x;
      team.run([&](comm::Rank& rank) {
        BlockTriangular<T> factors(make_factors<T>);
        factors.factorize(rank, &analysis, &A, plan);
        const FactorStats counts = factors.stats();
        const bool has_fronts = !analysis.inner_block.empty();
        EXPECT_EQ(counts.predicted_columns == A.cols, !has_fronts);
        EXPECT_GT(counts.predicted_columns, 0);
        EXPECT_EQ(counts.pivots.kept, 0);
        EXPECT_EQ(counts.pivots.off_diagonal, 0);
        EXPECT_EQ(counts.shared_columns > 0, comm::slice_threads(rank) > 1);
        expect_solves(rank, factors, A, 3);
        expect_determinant(rank, factors, A);
        auto solution = b;
        factors.solve(rank, kernels::Op::none, b.data(), solution.data(), 1);
        if (rank.rank() == 0) x = std::move(solution);
        factors.refactorize(rank, &analysis, &A, plan);
        EXPECT_EQ(factors.stats().predicted_columns, 0);
        EXPECT_EQ(factors.stats().pivots.kept, counts.predicted_columns);
      });
      if (team.size() == 1) alone = x;
      const bool is_by_columns_alone = analysis.inner_block.empty();
      if (is_by_columns_alone && !x.empty() && !alone.empty()) {
        EXPECT_EQ(x, alone) << team.size() << " ranks";
      }
    });
  }
}

/// From the first pivot on that is not on the diagonal, columns are searched.
TYPED_TEST(PredictedColumns, EndAtAPivotBesideTheDiagonal) {
  using T = TypeParam;
  const auto A = grids_and_chain<T>();
  AnalysisPlan as_given = by_blocks();
  as_given.matching = Switch::off;
  const Analysis analysis = analyse(A, as_given);
  for (Index block = 0; block < analysis.blocks(); ++block) {
    const Index first = analysis.block_start[block];
    if (analysis.block_start[block + 1] - first == 1) continue;
    auto weak = A;  // nothing is subtracted from the block's first pivot
    const Index c = analysis.col_perm[first];
    for (Index k = A.start[c]; k < A.start[c + 1]; ++k)
      if (A.row[k] == analysis.row_perm[first]) weak.value[k] = T(static_cast<Real<T>>(1e-5));
    each_team({}, [&](comm::Team& team) {
      team.run([&](comm::Rank& rank) {
        BlockTriangular<T> factors(make_factors<T>);
        factors.factorize(rank, &analysis, &weak, FactorPlan{});
        const FactorStats counts = factors.stats();
        EXPECT_EQ(counts.predicted_columns, first);
        EXPECT_GT(counts.pivots.off_diagonal, 0);
        expect_solves(rank, factors, weak, 2);
        expect_determinant(rank, factors, weak);
        factors.refactorize(rank, &analysis, &A, FactorPlan{});
        EXPECT_GE(factors.stats().pivots.kept, first);
        expect_solves(rank, factors, A, 2);
      });
    });
  }
}

/// Where hardly an entry has its mirror image, the graph's pattern would hold too much.
TEST(PredictedColumnsOf, UnsymmetricPatternsAreNotMade) {
  EXPECT_TRUE(analyse(shuffled_blocks<double>({40, 1, 30}, 3), by_blocks()).columns.empty());
  AnalysisPlan always = by_blocks();
  always.columns_symmetry = 0;
  const auto A = shuffled_blocks<double>({40, 1, 30}, 3);
  const Analysis analysis = analyse(A, always);
  ASSERT_FALSE(analysis.columns.empty());
  each_team({}, [&](comm::Team& team) {
    team.run([&](comm::Rank& rank) {
      BlockTriangular<double> factors(make_factors<double>);
      factors.factorize(rank, &analysis, &A, FactorPlan{});
      expect_solves(rank, factors, A, 2);
    });
  });
}

}  // namespace
}  // namespace overlapack::sparse::testing
