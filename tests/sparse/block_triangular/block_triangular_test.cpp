#include "sparse/block_triangular/block_problems.hpp"
#include "sparse/block_triangular/columns/column_refactor.hpp"
#include "sparse/block_triangular/expectations.hpp"

#include <limits>

/// Factors by diagonal blocks: types x ranks x plans, on whichever engine the test was started with.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class BlocksOf : public ::testing::Test {};
using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(BlocksOf, Types);

/// One block of each kind, and many of order 1.
template <class T>
SparseMatrix<T> mixed_blocks(std::uint64_t seed = 1) {
  return shuffled_blocks<T>({1, 30, 1, 1, 2, 60, 3, 1, 1, 17, 1}, seed);
}

TYPED_TEST(BlocksOf, SolveTransposeRefactorizeAndPack) {
  using T = TypeParam;
  const auto A = mixed_blocks<T>();
  auto other = A;
  for (T& v : other.value) v *= T(static_cast<Real<T>>(-0.5));
  for (std::size_t k = 0; k < other.value.size(); k += 7) other.value[k] *= T(3);
  for (const AnalysisPlan& analysis_plan : {by_blocks(), mixed(), by_fronts()}) {
    const Analysis analysis = analyse(A, analysis_plan);
    // the stress plan is about fronts
    const bool has_fronts = !analysis.inner_block.empty();
    for (const auto& plan : {has_fronts ? strips_plan(comm::ReceiveMode::immediate, 4) : FactorPlan{}})
      each_team({}, [&](comm::Team& team) {
        std::vector<BlockTriangular<T>> all = empty_factors<T>(team.size());
        team.run([&](comm::Rank& rank) {
          auto& factors = all[static_cast<std::size_t>(rank.rank())];
          factors.factorize(rank, &analysis, &A, plan);
          for (const Index nrhs : {1, 35}) expect_solves(rank, factors, A, nrhs);
          expect_determinant(rank, factors, A);
          const FactorStats& stats = factors.stats();
          const auto fronts = static_cast<Index>(analysis.inner_block.size());
          EXPECT_EQ(stats.diagonal_blocks, 11);
          EXPECT_EQ(stats.column_blocks, 11 - fronts);
          EXPECT_EQ(stats.largest_block, 60);
          const bool is_dealing =
              plan.fronts.strips.sharing == NodeParallelism::strips && team.size() > 1 && fronts > 0;
          EXPECT_EQ(stats.distributed_fronts > 0, is_dealing);
          EXPECT_EQ(fronts > 0, analysis_plan.low_fill < 40);

          BlockTriangular<T> loaded(make_factors<T>);
          loaded.unpack(factors.packed(), plan);
          expect_solves(rank, loaded, A, 2);

          loaded.refactorize(rank, &analysis, &A, plan);  // the same numbers: all pivots pass again
          EXPECT_EQ(loaded.stats().pivots.kept > 0, stats.column_blocks > 0);
          EXPECT_EQ(loaded.stats().pivots.off_diagonal, stats.pivots.off_diagonal);
          expect_solves(rank, loaded, A, 2);

          factors.refactorize(rank, &analysis, &other, plan);
          expect_solves(rank, factors, other, 2);
          expect_determinant(rank, factors, other);
        });
      });
  }
}

TYPED_TEST(BlocksOf, AnyThresholdAndOrdering) {
  using T = TypeParam;
  const auto A = mixed_blocks<T>(4);
  for (const std::optional<Ordering> ordering :
       {std::optional<Ordering>(), {Ordering::metis}, {Ordering::natural}, {Ordering::user}})
    for (const double threshold : !ordering ? std::vector<double>{0.01, 1.0} : std::vector<double>{1.0}) {
      AnalysisPlan analysis_plan = by_blocks();
      analysis_plan.ordering = ordering;
      analysis_plan.matching = threshold == 1 ? Switch::off : Switch::on;
      if (ordering == Ordering::user)
        for (Index k = A.cols; k-- > 0;) analysis_plan.user_order.push_back(k);
      const Analysis analysis = analyse(A, analysis_plan);
      FactorPlan plan;
      plan.pivot_threshold = threshold;
      each_team({}, [&](comm::Team& team) {
        std::vector<BlockTriangular<T>> all = empty_factors<T>(team.size());
        team.run([&](comm::Rank& rank) {
          auto& factors = all[static_cast<std::size_t>(rank.rank())];
          factors.factorize(rank, &analysis, &A, plan);
          expect_solves(rank, factors, A, 1);
          if (threshold == 1) {
            EXPECT_GT(factors.stats().pivots.off_diagonal, 0);
          }
        });
      });
    }
}

/// |L(i, j)| <= 1 / threshold, and P B = L U in each block and above it, entry by entry.
TEST(Blocks, FactorsMultiplyBackToTheMatrix) {
  const auto A = mixed_blocks<double>(9);
  const Analysis analysis = analyse(A, by_blocks());
  const std::size_t n = analysis.col_perm.size();
  ColumnFactors<double> factors;
  const FactorPlan plan;
  ColumnLu<double> lu(A, analysis, {.threshold = 0.5}, plan, factors);
  while (!lu.is_done()) lu.advance(7);
  std::vector<std::vector<double>> L(n, std::vector<double>(n)), U = L, B = L;
  for (std::size_t j = 0; j < n; ++j) {
    L[j][j] = 1;
    U[j][j] = factors.pivot[j];
    for (Index p = factors.lower.start[j]; p < factors.lower.start[j + 1]; ++p) {
      L[factors.lower.row[p]][j] = factors.lower.value[p];
      EXPECT_LE(std::abs(factors.lower.value[p]), 2);
    }
    for (Index p = factors.upper.start[j]; p < factors.upper.start[j + 1]; ++p)
      U[factors.upper.row[p]][j] += factors.upper.value[p];
  }
  std::vector<Index> block(n);
  for (Index b = 0; b < analysis.blocks(); ++b)
    for (Index k = analysis.block_start[b]; k < analysis.block_start[b + 1]; ++k) block[k] = b;
  std::vector<std::size_t> position(n);
  for (std::size_t k = 0; k < n; ++k) position[analysis.row_perm[factors.row_of_pivot[k]]] = k;
  for (std::size_t j = 0; j < n; ++j) {
    const Index c = analysis.col_perm[j];
    for (Index p = A.start[c]; p < A.start[c + 1]; ++p)
      B[position[A.row[p]]][j] = A.value[p] * analysis.row_scale[A.row[p]] * analysis.col_scale[c];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = block[i] == block[j] ? 0 : U[i][j];
      if (block[i] == block[j])
        for (std::size_t k = 0; k < n; ++k)
          if (block[k] == block[i]) sum += L[i][k] * U[k][j];
      EXPECT_NEAR(sum, B[i][j], tolerance<double>(static_cast<Index>(n))) << i << ", " << j;
    }
}

TYPED_TEST(BlocksOf, SingularMatricesEndEveryRank) {
  using T = TypeParam;
  Triplets<T> entries;  // [1 1; 1 1] in the middle of a chain
  entries.rows = entries.cols = 6;
  for (Index k = 0; k < 6; ++k) entries.add(k, k, T(1));
  for (Index k = 0; k < 5; ++k) entries.add(k, k + 1, T(1));
  entries.add(3, 2, T(1));
  const auto A = compress(std::move(entries)).matrix;
  for (const AnalysisPlan& analysis_plan : {by_blocks(), by_fronts()}) {
    const Analysis analysis = analyse(A, analysis_plan);
    each_team({}, [&](comm::Team& team) {
      std::vector<BlockTriangular<T>> all = empty_factors<T>(team.size());
      FactorPlan plan;
      plan.refuses_rounding = true;
      try {
        team.run([&](comm::Rank& rank) {
          all[static_cast<std::size_t>(rank.rank())].factorize(rank, &analysis, &A, plan);
        });
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::singular) << error.what();
      }
    });
  }
}

/// Nothing is known of it: an answer would be made up.
TEST(Blocks, NullSpaceIsRefused) {
  const auto A = shuffled_blocks<double>({1, 3, 2}, 5);
  const Analysis analysis = analyse(A, by_blocks());
  each_team({}, [&](comm::Team& team) {
    std::vector<BlockTriangular<double>> all = empty_factors<double>(team.size());
    team.run([&](comm::Rank& rank) {
      auto& factors = all[static_cast<std::size_t>(rank.rank())];
      factors.factorize(rank, &analysis, &A, FactorPlan{});
      double z = 0;
      try {
        factors.null_space(rank, kernels::Op::none, &z);
        ADD_FAILURE() << "no error";
      } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::bad_plan) << error.what();
      }
    });
  });
}

TEST(Blocks, OverflowIsAnError) {
  Triplets<double> entries;
  entries.rows = entries.cols = 3;
  for (Index k = 0; k < 3; ++k) entries.add(k, (k + 1) % 3, 1e300);
  for (Index k = 0; k < 3; ++k) entries.add(k, k, k == 2 ? 1e-300 : 1e-5);
  const auto A = compress(std::move(entries)).matrix;
  AnalysisPlan plan = by_blocks();
  plan.matching = Switch::off;
  plan.ordering = Ordering::natural;
  const Analysis analysis = analyse(A, plan);
  ColumnFactors<double> factors;
  const FactorPlan factor_plan;
  ColumnLu<double> lu(A, analysis, {}, factor_plan, factors);
  try {
    lu.advance(3);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_input) << error.what();
  }
}

/// Other values of one pattern: as long as pivots pass the test they are kept, then chosen anew.
TYPED_TEST(BlocksOf, RefactorizeKeepsPivotsThatAreStillLarge) {
  using T = TypeParam;
  const auto A = mixed_blocks<T>(3);
  const Analysis analysis = analyse(A, by_blocks());
  comm::conformance::each_team({}, [&](comm::Team& team) {
    if (team.size() > 1) return;
    team.run([&](comm::Rank& rank) {
      BlockTriangular<T> factors(make_factors<T>);
      factors.factorize(rank, &analysis, &A, FactorPlan{});
      EXPECT_EQ(factors.stats().pivots.kept, 0);
      Random random(5);
      auto next = A;
      for (T& v : next.value) v *= T(static_cast<Real<T>>(1 + 0.01 * random.uniform()));
      factors.refactorize(rank, &analysis, &next, FactorPlan{});
      EXPECT_EQ(factors.stats().pivots.kept, A.cols);
      expect_solves(rank, factors, next, 2);
      expect_determinant(rank, factors, next);

      for (const double share : {0.0, 1e-3}) {  // no pivot, or one too small, where there was one
        auto weak = A;
        for (Index j = 0; j<A.cols; j += share> 0 ? 2 : 7) {
          const Index k = std::max_element(A.value.begin() + A.start[j], A.value.begin() + A.start[j + 1],
                                           [](const T& a, const T& b) { return std::abs(a) < std::abs(b); }) -
                          A.value.begin();
          if (A.start[j + 1] - A.start[j] > 3) weak.value[k] *= T(static_cast<Real<T>>(share));
        }
        factors.refactorize(rank, &analysis, &weak, FactorPlan{});
        EXPECT_LT(factors.stats().pivots.kept, A.cols) << share;
        expect_solves(rank, factors, weak, 2);
        expect_determinant(rank, factors, weak);
        factors.refactorize(rank, &analysis, &weak, FactorPlan{});
        EXPECT_EQ(factors.stats().pivots.kept, A.cols) << share;
        expect_solves(rank, factors, weak, 2);
      }

      auto bad = A;
      bad.value[bad.value.size() / 2] = T(std::numeric_limits<Real<T>>::infinity());
      EXPECT_THROW(factors.refactorize(rank, &analysis, &bad, FactorPlan{}), Error);
      factors.refactorize(rank, &analysis, &A, FactorPlan{});  // nothing is kept of what failed
      EXPECT_EQ(factors.stats().pivots.kept, 0);
      expect_solves(rank, factors, A, 2);
    });
  });
}

/// The same values again: rounding decides no test, neither where a pivot is small beside its column, but not beside its row, nor where
/// entries of a column are alike.
TYPED_TEST(BlocksOf, RefactorizeKeepsEveryPivotOfTheSameValues) {
  using T = TypeParam;
  AnalysisPlan as_given = by_blocks();
  as_given.matching = Switch::off;
  as_given.ordering = Ordering::natural;
  Random random(9);
  Triplets<T> entries;  // a band with rows that are small from 40 on
  entries.rows = entries.cols = 70;
  for (Index j = 0; j < 70; ++j)
    for (Index i = std::max<Index>(j - 4, 0); i <= std::min<Index>(j + 2, 69); ++i) {
      const Real<T> size = i < 40 ? 1 : std::numeric_limits<Real<T>>::epsilon();
      entries.add(i, j, (random_value<T>(random) + T(static_cast<Real<T>>(i == j ? 8 : 0))) * size);
    }
  const auto uneven = compress(std::move(entries)).matrix;
  auto alike = shuffled_blocks<T>({30, 1, 45}, 8);
  for (T& v : alike.value)
    v = T(static_cast<Real<T>>(random.below(2) == 0 ? 1 : -1)) / T(static_cast<Real<T>>(1 + random.below(3)));
  for (const SparseMatrix<T>* A : {&uneven, &std::as_const(alike)})
    for (const double threshold : {0.01, 0.5, 1.0}) {
      const Analysis analysis = analyse(*A, as_given);
      FactorPlan plan;
      plan.pivot_threshold = threshold;
      plan.columns.shared_from_s = 0;
      each_team({}, [&](comm::Team& team) {
        team.run([&](comm::Rank& rank) {
          BlockTriangular<T> factors(make_factors<T>);
          factors.factorize(rank, &analysis, A, plan);
          const auto b = random_vector<T>(A->cols, 3);
          std::vector<T> before(b.size());
          for (const bool is_first : {true, false}) {
            auto x = b;
            factors.refactorize(rank, &analysis, A, plan);
            EXPECT_EQ(factors.stats().pivots.rounding, 0) << threshold;
            EXPECT_EQ(factors.stats().pivots.kept, A->cols) << threshold;
            factors.solve(rank, kernels::Op::none, b.data(), x.data(), 1);
            if (rank.rank() == 0 && !is_first) {
              EXPECT_EQ(x, before) << threshold;
            }
            before = x;
          }
        });
      });
    }
}

/// Columns before the first whose pivot fails keep it, those behind are chosen anew.
TYPED_TEST(BlocksOf, RefactorizeGoesOnFromTheFirstPivotThatFails) {
  using T = TypeParam;
  const auto A = shuffled_blocks<T>({20, 1, 80, 1, 30}, 6);
  const Analysis analysis = analyse(A, by_blocks());
  each_team({}, [&](comm::Team& team) {
    team.run([&](comm::Rank& rank) {
      BlockTriangular<T> factors(make_factors<T>);
      factors.factorize(rank, &analysis, &A, FactorPlan{});
      for (const Index position : {Index{0}, Index{10}, Index{60}, Index{100}, Index{131}}) {
        auto other = A;  // in this column what was the pivot is small, as is all but one entry
        const Index c = analysis.col_perm[position], largest = A.start[c] + position % 2;
        for (Index k = A.start[c]; k < A.start[c + 1]; ++k)
          other.value[k] = T(static_cast<Real<T>>(k == largest ? 1 : 1e-4));
        factors.refactorize(rank, &analysis, &other, FactorPlan{});
        EXPECT_GE(factors.stats().pivots.kept, position);
        expect_solves(rank, factors, other, 2);
        factors.refactorize(rank, &analysis, &other, FactorPlan{});
        EXPECT_EQ(factors.stats().pivots.kept, A.cols);
        factors.refactorize(rank, &analysis, &A, FactorPlan{});
        expect_solves(rank, factors, A, 2);
        expect_determinant(rank, factors, A);
      }
    });
  });
}

/// Sets of columns that several threads take: the numbers are those of one rank, to the bit, and pivots are tested as ever.
TYPED_TEST(BlocksOf, RefactorizeIsShared) {
  using T = TypeParam;
  const auto A = shuffled_blocks<T>({1, 120, 1, 90, 2, 1}, 4);
  auto other = A, weak = A;
  for (std::size_t k = 0; k < A.value.size(); k += 3) other.value[k] *= T(static_cast<Real<T>>(1.01));
  for (std::size_t k = 0; k < A.value.size(); k += 2) weak.value[k] *= T(static_cast<Real<T>>(1e-3));
  const Analysis analysis = analyse(A, by_blocks());
  FactorPlan plan;
  plan.columns.shared_from_s = 0;
  plan.columns.at_once = 16;
  const auto b = random_vector<T>(A.cols, 3);
  std::vector<std::vector<T>> alone;  // x for each of the matrices, on one rank
  comm::conformance::each_team({}, [&](comm::Team& team) {
    std::vector<std::vector<T>> x;
    team.run([&](comm::Rank& rank) {
      BlockTriangular<T> factors(make_factors<T>);
      factors.factorize(rank, &analysis, &A, plan);
      const SparseMatrix<T>* before = nullptr;
      for (const SparseMatrix<T>* next :
           {&std::as_const(other), &std::as_const(other), &std::as_const(weak), &A}) {
        factors.refactorize(rank, &analysis, next, plan);
        const FactorStats counts = factors.stats();
        if (next == std::exchange(before, next)) {
          EXPECT_EQ(counts.pivots.kept, A.cols);
        } else if (next == &weak) {
          EXPECT_LT(counts.pivots.kept, A.cols);
        }
        EXPECT_EQ(counts.shared_columns > 0, comm::slice_threads(rank) > 1);
        auto solution = b;
        factors.solve(rank, kernels::Op::none, b.data(), solution.data(), 1);
        if (rank.rank() == 0) x.push_back(std::move(solution));
      }
    });
    if (team.size() == 1) alone = x;
    if (!x.empty() && !alone.empty()) {
      EXPECT_EQ(x, alone) << team.size() << " ranks";
    }
  });
}

/// L(:, j) of a node is j + 1 and L(:, j + 1), in its order; U ascends in its block; and the numbers are those of a first factorisation.
TYPED_TEST(BlocksOf, RefactorizeComputesByNodes) {
  using T = TypeParam;
  const auto A = shuffled_blocks<T>({1, 40, 1, 90, 2, 1}, 4);  // they fill in
  auto other = A;
  for (std::size_t k = 0; k < other.value.size(); ++k)
    other.value[k] *= T(static_cast<Real<T>>(k % 3 == 0 ? 1.0001 : 1));  // the same pivots
  const Analysis analysis = analyse(A, by_blocks());
  const FactorPlan plan;
  const PivotTest<T> test = pivot_test<T>(plan, FactorKind::lu, 0);
  ColumnFactors<T> first, again;
  ColumnLu<T>(A, analysis, test, plan, again).advance(A.cols);
  ColumnRefactor<T> refactor(other, analysis, test, plan, 1, again);
  refactor.advance(A.cols);
  ASSERT_EQ(refactor.right_until(), A.cols);
  ColumnLu<T> lu(other, analysis, test, plan, first);
  lu.advance(A.cols);
  EXPECT_EQ(refactor.stats().flops, lu.stats().flops);
  ASSERT_EQ(first.row_of_pivot, again.row_of_pivot);

  Index widest = 0;
  for (Index j = 0; j < A.cols; ++j) {
    const EntryColumns<T>& L = again.lower;
    if (again.node_end[j] > j + 1) {
      ASSERT_EQ(again.node_end[j], again.node_end[j + 1]);
      ASSERT_EQ(L.row[L.start[j]], j + 1);
      EXPECT_TRUE(std::equal(L.row.begin() + L.start[j] + 1, L.row.begin() + L.start[j + 1],
                             L.row.begin() + L.start[j + 1], L.row.begin() + L.start[j + 2]));
    }
    widest = std::max<Index>(widest, again.node_end[j] - j);
  }
  EXPECT_GT(widest, 8);

  const auto dense = [&](const EntryColumns<T>& columns) {  // whatever the order
    std::vector<T> values(static_cast<std::size_t>(A.cols * A.cols));
    for (Index j = 0; j < A.cols; ++j)
      for (Index p = columns.start[j]; p < columns.start[j + 1]; ++p)
        values[columns.row[p] + j * A.cols] = columns.value[p];
    return values;
  };
  for (const auto which : {&ColumnFactors<T>::lower, &ColumnFactors<T>::upper}) {
    const std::vector<T> expected = dense(first.*which), found = dense(again.*which);
    Real<T> largest = 0;
    for (const T& v : expected) largest = std::max<Real<T>>(largest, std::abs(v));
    for (std::size_t k = 0; k < expected.size(); ++k)
      ASSERT_LE(std::abs(expected[k] - found[k]), tolerance<T>(A.cols) * largest);
  }
}

TEST(Blocks, RefactorizeWithAsManyPivotsKeepsItsMemory) {
  const auto A = mixed_blocks<double>(2);
  const Analysis analysis = analyse(A, by_blocks());
  each_team({}, [&](comm::Team& team) {
    std::vector<BlockTriangular<double>> all = empty_factors<double>(team.size());
    team.run([&](comm::Rank& rank) {
      auto& factors = all[static_cast<std::size_t>(rank.rank())];
      factors.factorize(rank, &analysis, &A, FactorPlan{});
      const double before = factors.stats().reserved_bytes;
      for (int again = 0; again < 3; ++again) {
        factors.refactorize(rank, &analysis, &A, FactorPlan{});
        EXPECT_EQ(factors.stats().reserved_bytes, before);
      }
      expect_solves(rank, factors, A, 1);
    });
  });
}

}  // namespace
}  // namespace overlapack::sparse::testing
