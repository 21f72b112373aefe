#include "sparse/block_triangular/columns/column_ldlt.hpp"

#include "sparse/block_triangular/expectations.hpp"

#include <complex>
#include <limits>
#include <utility>

/// L D L^T column by column, beside fronts and dense matrices.
namespace overlapack::sparse::testing {
namespace {

using comm::conformance::each_team;

template <class T>
class ColumnsOf : public ::testing::Test {};
using ColumnTypes = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(ColumnsOf, ColumnTypes);

AnalysisPlan by_columns() {
  AnalysisPlan plan;
  plan.kind = FactorKind::ldlt;
  plan.block_form = Switch::on;
  return plan;
}
AnalysisPlan as_given() {
  AnalysisPlan plan = by_columns();
  plan.matching = Switch::off;
  plan.ordering = Ordering::natural;
  return plan;
}

/// 1x1 and 2x2 pivots, delayed ones, little fill and full columns.
template <class T>
std::vector<SparseMatrix<T>> problems() {
  std::vector<SparseMatrix<T>> all;
  for (const Index n : {1, 2, 3, 50}) all.push_back(random_matrix<T>(n, 1, Symmetry::symmetric, n > 3, 11));
  all.push_back(random_matrix<T>(40, 30, Symmetry::symmetric, true, 12));
  if (ScalarTraits<T>::is_complex) all.push_back(random_matrix<T>(60, 2, Symmetry::hermitian, true, 13));
  all.push_back(zero_diagonal<T>(60, 14));
  all.push_back(zero_arrow<T>(6));
  all.push_back(weak_cube<T>(4));
  return all;
}

TYPED_TEST(ColumnsOf, SolveRefactorizeAndPack) {
  using T = TypeParam;
  for (AnalysisPlan analysis_plan : {by_columns(), as_given()})
    for (const SparseMatrix<T>& A : problems<T>()) {
      auto other = A;
      for (T& v : other.value) v *= T(static_cast<Real<T>>(-0.5));
      const Analysis analysis = analyse(A, analysis_plan);
      ASSERT_EQ(analysis.method, Method::block_triangular);
      each_team({}, [&](comm::Team& team) {
        std::vector<BlockTriangular<T>> all = empty_factors<T>(team.size());
        team.run([&](comm::Rank& rank) {
          auto& factors = all[static_cast<std::size_t>(rank.rank())];
          factors.factorize(rank, &analysis, &A, FactorPlan{});
          for (const Index nrhs : {1, 35}) expect_solves(rank, factors, A, nrhs);
          expect_determinant(rank, factors, A);
          BlockTriangular<T> loaded(make_factors<T>);
          loaded.unpack(factors.packed(), FactorPlan{});
          expect_solves(rank, loaded, A, 2);
          loaded.refactorize(rank, &analysis, &other, FactorPlan{});
          expect_solves(rank, loaded, other, 1);

          const auto b = random_vector<T>(A.cols, 3);
          auto x = b, y = b;
          factors.refactorize(rank, &analysis, &A, FactorPlan{});
          factors.solve(rank, kernels::Op::none, b.data(), x.data(), 1);
          factors.refactorize(rank, &analysis, &A, FactorPlan{});
          factors.solve(rank, kernels::Op::none, b.data(), y.data(), 1);
          EXPECT_EQ(x, y);
          expect_determinant(rank, factors, A);
        });
      });
    }
}

/// As many negative eigenvalues as fronts find; every kind of pivot occurs.
TYPED_TEST(ColumnsOf, InertiaIsThatOfFronts) {
  using T = TypeParam;
  Index pairs = 0, delayed = 0;
  for (const SparseMatrix<T>& A : problems<T>())
    for (AnalysisPlan analysis_plan : {by_columns(), as_given()}) {
      const Analysis columns = analyse(A, analysis_plan);
      analysis_plan.block_form = Switch::off;
      const Analysis tree = analyse(A, analysis_plan);
      each_team({}, [&](comm::Team& team) {
        if (team.size() > 1) return;
        team.run([&](comm::Rank& rank) {
          Multifrontal<T> fronts;
          fronts.factorize(rank, &tree, &A, FactorPlan{});
          BlockTriangular<T> factors(make_factors<T>);
          factors.factorize(rank, &columns, &A, FactorPlan{});
          const FactorStats& found = factors.stats();
          EXPECT_EQ(found.pivots.negative, fronts.stats().pivots.negative) << A.cols;
          EXPECT_EQ(found.pivots.rounding, 0);
          pairs += found.pivots.two_by_two;
          delayed += found.pivots.delayed;
        });
      });
    }
  if (pairs + delayed == 0) return;  // a process without a team of one
  EXPECT_GT(pairs, 10);
  EXPECT_GT(delayed, 10);
}

/// B = L D L^T (L D L^H), entry by entry, with bounded L.
template <class T>
void expect_product(const ColumnFactors<T>& factors, const Analysis& analysis, const SparseMatrix<T>& A) {
  const auto n = static_cast<std::size_t>(A.cols);
  std::vector<std::vector<T>> L(n, std::vector<T>(n)), D = L, B = L;
  for (std::size_t j = 0; j < n; ++j) {
    L[j][j] = T(1);
    D[j][j] = factors.pivot[j];
    if (factors.pivot_off[j] != T(0)) {
      D[j + 1][j] = factors.pivot_off[j];
      D[j][j + 1] = factors.is_hermitian ? conjugate(factors.pivot_off[j]) : factors.pivot_off[j];
    }
    for (Index p = factors.lower.start[j]; p < factors.lower.start[j + 1]; ++p) {
      EXPECT_GT(static_cast<std::size_t>(factors.lower.row[p]), j);
      EXPECT_LE(std::abs(factors.lower.value[p]), 15);
      L[factors.lower.row[p]][j] = factors.lower.value[p];
    }
  }
  std::vector<std::size_t> position(n);
  for (std::size_t k = 0; k < n; ++k) position[analysis.row_perm[factors.row_of_pivot[k]]] = k;
  for (Index c = 0; c < A.cols; ++c)
    for (Index p = A.start[c]; p < A.start[c + 1]; ++p)
      B[position[A.row[p]]][position[c]] =
          A.value[p] * T(static_cast<Real<T>>(analysis.row_scale[A.row[p]] * analysis.col_scale[c]));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      T sum = T(0);
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t l = k == 0 ? 0 : k - 1; l < std::min(n, k + 2); ++l)
          sum += L[i][k] * D[k][l] * (factors.is_hermitian ? conjugate(L[j][l]) : L[j][l]);
      EXPECT_LE(std::abs(sum - B[i][j]), tolerance<T>(A.cols)) << i << ", " << j << " of " << n;
    }
}

TYPED_TEST(ColumnsOf, FactorsMultiplyBackToTheMatrix) {
  using T = TypeParam;
  for (const SparseMatrix<T>& A : problems<T>()) {
    const Analysis analysis = analyse(A, by_columns());
    ColumnFactors<T> factors;
    const FactorPlan plan;
    const PivotTest<T> test{.threshold = static_cast<Real<T>>(0.1)};
    ColumnLdlt<T> ldlt(A, analysis, test, plan, factors);
    while (!ldlt.is_done()) ldlt.advance(7);
    expect_product(factors, analysis, A);
  }
}

/// S A S, S diagonal and near 1: a matrix for which the pivots of A pass.
template <class T>
SparseMatrix<T> rescaled(SparseMatrix<T> A, std::uint64_t seed) {
  const std::vector<double> s = random_vector<double>(A.cols, seed);
  for (Index c = 0; c < A.cols; ++c)
    for (Index p = A.start[c]; p < A.start[c + 1]; ++p)
      A.value[p] *= T(static_cast<Real<T>>((1 + s[c] / 10) * (1 + s[A.row[p]] / 10)));
  return A;
}

/// Numbers for kept 1x1 and 2x2 pivots are factors of the next matrix, and find its inertia.
TYPED_TEST(ColumnsOf, KeptPivotsMultiplyBackToTheNextMatrix) {
  using T = TypeParam;
  Index pairs = 0;
  for (const AnalysisPlan& analysis_plan : {by_columns(), as_given()})
    for (const SparseMatrix<T>& A : problems<T>()) {
      const Analysis analysis = analyse(A, analysis_plan);
      const SparseMatrix<T> next = rescaled(A, 5);
      const FactorPlan plan;
      const PivotTest<T> test{.threshold = static_cast<Real<T>>(0.1)};
      ColumnFactors<T> factors;
      ColumnLdlt<T> ldlt(A, analysis, test, plan, factors);
      ldlt.advance(A.cols);
      ColumnRefactor<T> again(next, analysis, test, plan, 0.5, factors);
      while (!again.is_done()) again.advance(7);
      ASSERT_EQ(again.right_until(), A.cols);
      expect_product(factors, analysis, next);
      EXPECT_EQ(again.stats().pivots.kept, A.cols);
      EXPECT_EQ(again.stats().pivots.negative, ldlt.stats().pivots.negative);
      EXPECT_EQ(again.stats().pivots.two_by_two, ldlt.stats().pivots.two_by_two);
      pairs += again.stats().pivots.two_by_two;
    }
  EXPECT_GT(pairs, 20);
}

/// Chains of pairs [d 1; 1 d], d = 0, or 1 in every `broken`-th pair, which has no inverse then; beside each other, so that threads
/// share them.
template <class T>
SparseMatrix<T> chains_of_pairs(Index broken) {
  constexpr Index chains = 9, pairs = 30;
  Triplets<T> entries;
  entries.rows = entries.cols = 2 * chains * pairs;
  for (Index k = 0; k < entries.rows; ++k) {
    entries.add(k, k, T(broken > 0 && k / 2 % broken == 0 ? 1 : 0));
    if ((k + 1) % (2 * pairs) == 0) continue;
    const T beside = k % 2 == 0 ? T(1) : T(static_cast<Real<T>>(0.3));
    entries.add(k, k + 1, beside);
    entries.add(k + 1, k, beside);
  }
  auto A = compress(std::move(entries)).matrix;
  A.symmetry = Symmetry::symmetric;
  return A;
}

/// Kept pivots give the same bits on any number of threads. Where one fails, pivots are chosen anew; after the k-th time in a row k
/// times, before they are kept again.
TYPED_TEST(ColumnsOf, KeptPivotsOnThreads) {
  using T = TypeParam;
  const auto A = chains_of_pairs<T>(0), next = rescaled(A, 6), broken = chains_of_pairs<T>(5),
             other = chains_of_pairs<T>(7);
  const Analysis analysis = analyse(A, by_columns());
  FactorPlan plan;
  plan.columns.shared_from_s = 0;
  plan.columns.at_once = 7;
  const std::vector<std::pair<const SparseMatrix<T>*, bool>> steps = {
      {&A, true},       {&next, true},                      // kept
      {&broken, false}, {&broken, false}, {&broken, true},  // one failure, one pause
      {&other, false},  {&A, false},                        // the same
      {&broken, false}, {&A, false},      {&A, false},      // the second failure in a row
      {&other, false},  {&A, false},      {&A, false},     {&A, false}, {&A, true}};
  const auto b = random_vector<T>(A.cols, 3);
  std::vector<std::vector<T>> alone;
  each_team({}, [&](comm::Team& team) {
    std::vector<std::vector<T>> x;
    team.run([&](comm::Rank& rank) {
      BlockTriangular<T> factors(make_factors<T>);
      factors.factorize(rank, &analysis, &A, plan);
      EXPECT_GT(factors.stats().pivots.two_by_two, 100);
      for (std::size_t k = 0; k < steps.size(); ++k) {
        const auto& [matrix, is_kept] = steps[k];
        factors.refactorize(rank, &analysis, matrix, plan);
        EXPECT_EQ(factors.stats().pivots.kept, is_kept ? A.cols : 0) << k;
        EXPECT_EQ(factors.stats().shared_columns > 0, is_kept && comm::slice_threads(rank) > 1);
        expect_solves(rank, factors, *matrix, 1);
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

/// Pivots of known signs are kept whatever their values, and mended by their signs.
TEST(Columns, PivotsOfKnownSignsAreKept) {
  const Index n = 40;
  Triplets<double> entries;
  entries.rows = entries.cols = n;
  std::vector<std::int8_t> signs;
  for (Index k = 0; k < n; ++k) {
    signs.push_back(k % 3 == 0 ? -1 : 1);
    entries.add(k, k, signs.back());
    for (Index i = std::max<Index>(k - 3, 0); i < k; ++i) entries.add(i, k, 0.1), entries.add(k, i, 0.1);
  }
  auto A = compress(std::move(entries)).matrix;
  A.symmetry = Symmetry::symmetric;
  AnalysisPlan analysis_plan = as_given();
  analysis_plan.signs = signs;
  const Analysis analysis = analyse(A, analysis_plan);
  const FactorPlan plan;
  BlockTriangular<double> factors(make_factors<double>);
  each_team({}, [&](comm::Team& team) {
    if (team.size() > 1) return;
    team.run([&](comm::Rank& rank) {
      factors.factorize(rank, &analysis, &A, plan);
      EXPECT_EQ(factors.stats().pivots.perturbed, 0);
      for (const Index wrong : {0, 1, 3}) {
        SparseMatrix<double> next = A;
        for (Index c = 0; c < wrong; ++c)
          for (Index p = A.start[c]; p < A.start[c + 1]; ++p)
            if (A.row[p] == c) next.value[p] = -signs[c];
        factors.refactorize(rank, &analysis, &next, plan);
        EXPECT_EQ(factors.stats().pivots.kept, n);
        EXPECT_EQ(factors.stats().pivots.wrong_sign, wrong);
        EXPECT_EQ(factors.stats().pivots.perturbed, wrong);
        EXPECT_EQ(factors.stats().pivots.negative, std::ranges::count(signs, -1));
      }
    });
  });
}

/// [1 1; 1 1] in the middle, and a variable without entries.
TEST(Columns, SingularMatrices) {
  FactorPlan refusing;
  refusing.refuses_rounding = true;
  const FactorPlan answers, refuses = refusing;
  for (const bool has_zeros : {false, true}) {
    Triplets<double> entries;
    entries.rows = entries.cols = 5;
    for (const Index k : {0, 1, 3, 4}) entries.add(k, k, 1);
    entries.add(2, 2, has_zeros ? 0 : 1);
    if (!has_zeros)
      for (const auto& [i, j] : {std::pair<Index, Index>{1, 2}, {2, 1}}) entries.add(i, j, 1);
    auto A = compress(std::move(entries)).matrix;
    A.symmetry = Symmetry::symmetric;
    const Analysis analysis = analyse(A, as_given());
    for (const FactorPlan* plan : {&answers, &refuses}) {
      ColumnFactors<double> factors;
      ColumnLdlt<double> ldlt(A, analysis, pivot_test<double>(*plan, FactorKind::ldlt, 0), *plan, factors);
      try {
        ldlt.advance(5);
        EXPECT_TRUE(!has_zeros && plan == &answers);
        EXPECT_EQ(ldlt.stats().pivots.zero, 1);
        EXPECT_EQ(ldlt.stats().pivots.rounding, 1);
        EXPECT_EQ(ldlt.stats().smallest.col, 2);
      } catch (const Error& error) {
        EXPECT_EQ(error.status(), Status::singular) << error.what();
        EXPECT_TRUE(has_zeros || plan == &refuses) << error.what();
      }
    }
  }
}

/// Leaves without a pivot until their centre comes fill a square: who may give up does so in its first half.
TEST(Columns, GiveUpWhereDelayedPivotsFillIn) {
  constexpr Index leaves = 200;
  Triplets<double> entries;
  entries.rows = entries.cols = leaves + 1;
  for (Index i = 0; i < leaves; ++i) {
    entries.add(i, i, 1e-4);
    entries.add(i, leaves, 1);
    entries.add(leaves, i, 1);
  }
  auto A = compress(std::move(entries)).matrix;
  A.symmetry = Symmetry::symmetric;
  const Analysis analysis = analyse(A, as_given());
  for (const bool may_give_up : {false, true}) {
    FactorPlan plan;
    plan.columns.may_give_up = may_give_up;
    ColumnFactors<double> factors;
    ColumnLdlt<double> ldlt(A, analysis, pivot_test<double>(plan, FactorKind::ldlt, 0), plan, factors);
    while (!ldlt.is_done()) ldlt.advance(50);
    EXPECT_EQ(ldlt.stats().has_given_up, may_give_up);
    EXPECT_EQ(factors.lower.size() < leaves * leaves / 2, may_give_up);
  }
}

TEST(Columns, OverflowIsAnError) {
  Triplets<double> entries;
  entries.rows = entries.cols = 3;
  for (Index k = 0; k < 3; ++k) entries.add(k, k, 1e-300);
  for (Index k = 0; k < 2; ++k) entries.add(k, k + 1, 1e300), entries.add(k + 1, k, 1e300);
  entries.value[0] = std::numeric_limits<double>::quiet_NaN();
  auto A = compress(std::move(entries)).matrix;
  A.symmetry = Symmetry::symmetric;
  const Analysis analysis = analyse(A, as_given());
  const FactorPlan plan;
  ColumnFactors<double> factors;
  ColumnLdlt<double> ldlt(A, analysis, pivot_test<double>(plan, FactorKind::ldlt, 0), plan, factors);
  try {
    ldlt.advance(3);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::bad_input) << error.what();
  }
}

/// Low fill goes by columns, a cube by fronts; nothing that columns cannot tell is left to them.
TEST(Columns, AreChosenByPredictedTime) {
  AnalysisPlan plan;
  plan.kind = FactorKind::ldlt;
  plan.block_form = {};
  const auto chain = random_matrix<double>(300, 0, Symmetry::symmetric, false, 3);
  EXPECT_EQ(analyse(chain, plan).method, Method::block_triangular);
  EXPECT_NE(analyse(chain, plan).choice, "");
  EXPECT_EQ(analyse(cube_of<double>(16), plan).method, Method::multifrontal);
  plan.keeps_null_pivots = true;
  EXPECT_EQ(analyse(chain, plan).method, Method::multifrontal);
}

/// Where the first factorisation is about as fast by fronts, columns are taken once more of them are expected.
TEST(Columns, AreChosenForManyFactorizations) {
  AnalysisPlan plan;
  plan.kind = FactorKind::ldlt;
  plan.block_form = {};
  for (const Index n : {plan.columns_small - 1, plan.columns_small}) {
    Triplets<double> entries;
    entries.rows = entries.cols = n;
    for (Index k = 0; k < n; ++k)
      for (Index i = std::max<Index>(k - 3, 0); i <= std::min(k + 3, n - 1); ++i)
        entries.add(i, k, i == k ? 8 : -1);
    auto band = compress(std::move(entries)).matrix;
    band.symmetry = Symmetry::symmetric;
    plan.factorizations = 1;
    const Analysis once = analyse(band, plan);
    EXPECT_EQ(once.method, n < plan.columns_small ? Method::block_triangular : Method::multifrontal);
    EXPECT_EQ(once.order_pays_after, n < plan.columns_small ? 0 : plan.columns_pay_after);
    plan.factorizations = 5;
    EXPECT_EQ(analyse(band, plan).method, Method::block_triangular);
  }
}

}  // namespace
}  // namespace overlapack::sparse::testing
