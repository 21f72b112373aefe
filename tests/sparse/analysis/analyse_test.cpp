#include "elimination_twin.hpp"
#include "overlapack/error.hpp"
#include "overlapack/generate.hpp"
#include "sparse/analysis/analysis.hpp"
#include "sparse/analysis/graph/ordering.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <future>

namespace overlapack::sparse {
namespace {

using Order = std::optional<Ordering>;
const Order orderings[] = {
    {}, Ordering::dissection, Ordering::metis, Ordering::amd, Ordering::scotch, Ordering::natural};

AnalysisPlan plan_for(FactorKind kind, Order ordering) {
  AnalysisPlan plan;
  plan.kind = kind;
  plan.ordering = ordering;
  plan.auto_amd_nodes = 0;  // so that two orders are compared
  plan.auto_dissection_worth = 0;
  return plan;
}

Index front_of_variable(const AssemblyTree& tree, Index k) {
  const auto after = std::upper_bound(tree.first_pivot.begin(), tree.first_pivot.end(), k);
  return after - tree.first_pivot.begin() - 1;
}

// Everything that the numerical phase relies on, against dense elimination; `exact` if fronts hold no zeros.
template <class T>
void expect_valid(const SparseMatrix<T>& A, const Analysis& analysis, bool exact = false) {
  const AssemblyTree& tree = analysis.tree;
  const Index n = A.rows;
  ASSERT_EQ(tree.n, n);
  ASSERT_TRUE(twin::is_permutation(analysis.row_perm, n));
  ASSERT_TRUE(twin::is_permutation(analysis.col_perm, n));
  ASSERT_EQ(tree.first_pivot.front(), 0);
  ASSERT_EQ(tree.first_pivot.back(), n);
  ASSERT_EQ(static_cast<Index>(tree.row.size()), tree.row_start.back());
  const twin::Pattern filled = twin::eliminate(A, analysis.row_perm, analysis.col_perm);

  double factor_nnz = 0, flops = 0;
  for (Index f = 0; f < tree.fronts(); ++f) {
    ASSERT_GT(tree.pivots(f), 0);
    std::vector<bool> in_front(n, false);
    for (Index k = tree.first_pivot[f]; k < tree.first_pivot[f + 1]; ++k) in_front[k] = true;
    Index before = tree.first_pivot[f + 1] - 1;
    for (Index k = 0; k < tree.border(f); ++k) {
      ASSERT_GT(tree.rows(f)[k], before) << "rows of front " << f << " ascend and lie behind its pivots";
      before = tree.rows(f)[k];
      ASSERT_LT(before, n);
      in_front[before] = true;
    }
    // The parent eliminates the first row of the border and holds all others.
    const Index parent = tree.border(f) == 0 ? -1 : front_of_variable(tree, tree.rows(f)[0]);
    ASSERT_EQ(tree.parent[f], parent);
    for (Index k = 0; k < tree.border(f); ++k) {
      const Index row = tree.rows(f)[k];
      EXPECT_TRUE(row < tree.first_pivot[parent + 1] ||
                  std::binary_search(tree.rows(parent), tree.rows(parent) + tree.border(parent), row));
    }
    for (Index k = tree.first_pivot[f]; k < tree.first_pivot[f + 1]; ++k)
      for (Index i = k; i < n; ++i) {
        EXPECT_TRUE(in_front[i] || !filled[i][k]) << "L(" << i << ", " << k << ") has no place";
        EXPECT_TRUE(filled[i][k] || !exact || !in_front[i]) << "L(" << i << ", " << k << ") is no entry";
      }
    factor_nnz += front_factor_nnz(analysis.kind, tree.order(f), tree.pivots(f));
    flops += front_flops(analysis.kind, tree.order(f), tree.pivots(f));
  }
  EXPECT_EQ(static_cast<double>(analysis.factor_nnz), factor_nnz);
  EXPECT_DOUBLE_EQ(analysis.flops, flops);
  if (exact) {
    const Index lower = twin::lower_nnz(filled);
    EXPECT_EQ(analysis.factor_nnz, analysis.kind == FactorKind::lu ? 2 * lower - n : lower);
  }
}

TEST(Analyse, EveryOrderingAndKindHoldsTheFillOfDenseElimination) {
  Random random(12);
  for (const Order ordering : orderings) {
    if (ordering == Ordering::scotch && !has_scotch()) continue;
    for (Index n : {1, 2, 5, 40, 90}) {
      for (double per_row : {0.0, 0.6, 2.5}) {
        for (FactorKind kind : {FactorKind::lu, FactorKind::ldlt, FactorKind::cholesky}) {
          const SparseMatrix<double> A = twin::random_matrix(n, per_row, random, kind != FactorKind::lu);
          SCOPED_TRACE(std::string(to_string(ordering)) + " n " + std::to_string(n));
          expect_valid(A, analyse(A, plan_for(kind, ordering)));
        }
      }
    }
  }
}

/// Cliques of a few random unknowns, as in normal equations: fronts of few pivots above many rows.
TEST(Analyse, FewPivotsAboveManyRowsJoinTheirParent) {
  Random random(14);
  constexpr Index n = 1200;
  std::vector<std::vector<bool>> pattern(n, std::vector<bool>(n, false));
  for (Index k = 0; k < 2 * n; ++k) {
    const Index clique[] = {k % n, static_cast<Index>(random.below(n)), static_cast<Index>(random.below(n))};
    for (const Index i : clique)
      for (const Index j : clique) pattern[i][j] = true;
  }
  SparseMatrix<double> A = twin::from_entries(n, pattern, random);
  A.symmetry = Symmetry::symmetric;
  const auto blocks_of_narrow_fronts = [](const Analysis& analysis) {
    double entries = 0;
    for (Index f = 0; f < analysis.tree.fronts(); ++f)
      if (analysis.tree.pivots(f) <= 4)
        entries += contribution_nnz(analysis.kind, analysis.tree.order(f), analysis.tree.pivots(f));
    return entries;
  };
  AnalysisPlan plan = plan_for(FactorKind::ldlt, Ordering::amd);
  const Analysis analysis = analyse(A, plan);
  plan.amalgamation_zeros_for_saved = 0;
  const Analysis by_shares = analyse(A, plan);
  EXPECT_LT(blocks_of_narrow_fronts(analysis), 0.5 * blocks_of_narrow_fronts(by_shares));
  EXPECT_LT(analysis.factor_nnz, 1.06 * by_shares.factor_nnz);
}

TEST(Analyse, WithoutAmalgamatedZerosTheFactorHasTheEntriesOfDenseElimination) {
  Random random(13);
  for (int round = 0; round < 10; ++round) {
    for (FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
      const SparseMatrix<double> A = twin::random_matrix(70, 1.0, random, kind != FactorKind::lu);
      AnalysisPlan plan = plan_for(kind, Ordering::amd);
      plan.amalgamation_zeros = {0, 0, 0};
      plan.amalgamation_wide_zeros = 0;
      plan.amalgamation_zeros_for_saved = 0;
      expect_valid(A, analyse(A, plan), true);
    }
  }
}

TEST(Analyse, MergesIndistinguishableVariablesAndKeepsThemSideBySide) {
  // Three unknowns a node of a 4^3 grid, all coupled: groups of three.
  const SparseMatrix<double> grid = twin::cube(4);
  const Index nodes = grid.rows, n = 3 * nodes;
  std::vector<std::vector<bool>> pattern(n, std::vector<bool>(n, false));
  for (Index j = 0; j < nodes; ++j)
    for (Index k = grid.start[j]; k < grid.start[j + 1]; ++k)
      for (Index a = 0; a < 3; ++a)
        for (Index b = 0; b < 3; ++b) pattern[grid.row[k] + nodes * a][j + nodes * b] = true;
  Random random(14);
  SparseMatrix<double> A = twin::from_entries(n, pattern, random);
  A.symmetry = Symmetry::symmetric;
  for (const Ordering ordering : {Ordering::dissection, Ordering::metis, Ordering::amd}) {
    const Analysis analysis = analyse(A, plan_for(FactorKind::ldlt, ordering));
    expect_valid(A, analysis);
    for (Index k = 0; k < n; k += 3)
      for (Index a = 1; a < 3; ++a) EXPECT_EQ(analysis.col_perm[k + a] % nodes, analysis.col_perm[k] % nodes);
  }
}

// A tridiagonal matrix and one row and column that are full.
SparseMatrix<double> arrow(Index n, Index full) {
  SparseMatrix<double> A;
  A.rows = A.cols = n;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) {
      if (std::abs(i - j) > 1 && i != full && j != full) continue;
      A.row.push_back(i);
      A.value.push_back(i == j ? 4.0 : 1.0);
    }
    A.start.push_back(static_cast<Index>(A.row.size()));
  }
  return A;
}

TEST(Analyse, ADenseRowGoesLast) {
  SparseMatrix<double> A = arrow(600, 17);
  for (const Ordering ordering : {Ordering::dissection, Ordering::metis, Ordering::amd}) {
    AnalysisPlan plan = plan_for(FactorKind::lu, ordering);
    plan.matching = Switch::off;
    const Analysis analysis = analyse(A, plan);
    expect_valid(A, analysis);
    // It may share the last front with others, in any place there.
    const Index position =
        std::find(analysis.col_perm.begin(), analysis.col_perm.end(), 17) - analysis.col_perm.begin();
    EXPECT_EQ(front_of_variable(analysis.tree, position), analysis.tree.fronts() - 1) << to_string(ordering);
    EXPECT_LT(analysis.factor_nnz, 20 * A.rows);
  }
}

TEST(Analyse, DisconnectedPartsAreSeparateTrees) {
  Random random(15);
  SparseMatrix<double> A;  // 12 dense blocks of 5 and 10 single variables
  A.rows = A.cols = 70;
  for (Index j = 0; j < 70; ++j) {
    for (Index i = 0; i < 70; ++i) {
      if (i != j && (i / 5 != j / 5 || j >= 60)) continue;
      A.row.push_back(i);
      A.value.push_back(i == j ? 10.0 : random.uniform(-1, 1));
    }
    A.start.push_back(static_cast<Index>(A.row.size()));
  }
  for (const Order ordering : orderings) {
    if (ordering == Ordering::scotch && !has_scotch()) continue;
    const Analysis analysis = analyse(A, plan_for(FactorKind::lu, ordering));
    expect_valid(A, analysis, true);
    EXPECT_EQ(std::count(analysis.tree.parent.begin(), analysis.tree.parent.end(), -1), 22)
        << to_string(ordering);
    EXPECT_EQ(analysis.factor_nnz, 12 * 25 + 10);
  }
}

TEST(Analyse, AnEmptyMatrixHasAnEmptyTree) {
  const Analysis analysis = analyse(SparseMatrix<double>{}, AnalysisPlan{});
  EXPECT_EQ(analysis.tree.fronts(), 0);
  EXPECT_EQ(analysis.factor_nnz, 0);
}

TEST(Analyse, KeepsTheUsersOrderUpToEquivalentPostorders) {
  Random random(16);
  const SparseMatrix<double> A = twin::random_matrix(50, 1.0, random);
  AnalysisPlan plan = plan_for(FactorKind::lu, Ordering::user);
  plan.user_order = twin::random_permutation(50, random);
  const Analysis analysis = analyse(A, plan);
  expect_valid(A, analysis);
  EXPECT_EQ(analysis.ordering, "user");
  EXPECT_EQ(twin::lower_nnz(twin::eliminate(A, plan.user_order, plan.user_order)),
            twin::lower_nnz(twin::eliminate(A, analysis.row_perm, analysis.col_perm)));
}

Status kind_of_error(const SparseMatrix<double>& A, const AnalysisPlan& plan) {
  try {
    analyse(A, plan);
  } catch (const Error& error) {
    EXPECT_STRNE(error.what(), "");
    return error.status();
  }
  ADD_FAILURE() << "no error";
  return Status::internal;
}

TEST(Analyse, RefusesAUserOrderThatIsNoPermutation) {
  Random random(17);
  const SparseMatrix<double> A = twin::random_matrix(4, 1.0, random);
  AnalysisPlan plan = plan_for(FactorKind::lu, Ordering::user);
  for (const std::vector<Index>& order :
       {std::vector<Index>{}, {0, 1, 2}, {0, 1, 2, 2}, {0, 1, 2, 4}, {-1, 1, 2, 3}, {0, 1, 2, 3, 4}}) {
    plan.user_order = order;
    EXPECT_EQ(kind_of_error(A, plan), Status::bad_input);
  }
}

TEST(Analyse, RefusesWhatItCannotDo) {
  Random random(18);
  SparseMatrix<double> A = twin::random_matrix(4, 1.0, random);
  EXPECT_EQ(kind_of_error(A, plan_for(FactorKind::ldlt, Ordering::amd)), Status::bad_plan);
  A.cols = 3;
  A.start.pop_back();
  EXPECT_EQ(kind_of_error(A, AnalysisPlan{}), Status::bad_input);
}

TEST(Analyse, PutsAMatchingOnTheDiagonalWhenThereAreZeros) {
  Random random(19);
  for (Index n : {2, 3, 30}) {
    // The large entries stand beside the diagonal, which is empty.
    std::vector<std::vector<bool>> pattern(n, std::vector<bool>(n, false));
    for (Index i = 0; i < n; ++i) pattern[i][(i + 1) % n] = true;
    for (Index k = 0; k < 2 * n; ++k) {
      const Index i = random.below(n), j = random.below(n);
      pattern[i][j] = pattern[i][j] || i != j;
    }
    const SparseMatrix<double> A = twin::from_entries(n, pattern, random);
    const Analysis analysis = analyse(A, plan_for(FactorKind::lu, Ordering::amd));
    expect_valid(A, analysis);
    EXPECT_EQ(analysis.matching, "maximum product");
    for (Index k = 0; k < n; ++k) {
      const Index r = analysis.row_perm[k], c = analysis.col_perm[k];
      const auto first = A.row.begin() + A.start[c], last = A.row.begin() + A.start[c + 1];
      EXPECT_TRUE(std::binary_search(first, last, r)) << "diagonal " << k << " is empty";
    }
  }
}

TEST(Analyse, NamesTheStructuralRankOfASingularMatrix) {
  Random random(20);
  SparseMatrix<double> A = twin::random_matrix(10, 2.0, random);
  for (std::size_t k = 0; k < A.row.size(); ++k)
    if (A.row[k] == 3 || A.row[k] == 7) A.value[k] = 0;
  try {
    analyse(A, plan_for(FactorKind::lu, Ordering::amd));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), Status::singular);
    EXPECT_NE(std::string(error.what()).find("structural rank is 8 of 10"), std::string::npos)
        << error.what();
  }
}

TEST(Analyse, AutoMatchingStaysOffForADominantDiagonalAndSymmetricScalingIsSymmetric) {
  Random random(21);
  SparseMatrix<double> A = twin::random_matrix(40, 2.0, random, true);
  EXPECT_EQ(analyse(A, plan_for(FactorKind::lu, Ordering::amd)).matching, "off");
  EXPECT_EQ(analyse(A, plan_for(FactorKind::ldlt, Ordering::amd)).matching, "off");
  // A congruence with powers of ten: badly scaled.
  std::vector<double> d(40);
  for (double& x : d) x = std::pow(10, random.uniform(-6, 6));
  for (Index j = 0; j < 40; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) A.value[k] *= d[A.row[k]] * d[j];
  const Analysis analysis = analyse(A, plan_for(FactorKind::ldlt, Ordering::amd));
  EXPECT_EQ(analysis.matching, "maximum product");
  EXPECT_EQ(analysis.row_scale, analysis.col_scale);
  EXPECT_EQ(analysis.row_perm, analysis.col_perm);
  // Scaled, every entry is at most 4 in modulus (sparse/matching/maximum_product.hpp).
  for (Index j = 0; j < 40; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k)
      EXPECT_LE(std::abs(analysis.row_scale[A.row[k]] * A.value[k] * analysis.col_scale[j]), 4.0);
}

// [H G^T; G 0] with a diagonal H of h entries and g constraints, symmetric.
SparseMatrix<double> saddle(Index h, Index g, Random& random) {
  const Index n = h + g;
  std::vector<std::vector<bool>> pattern(n, std::vector<bool>(n, false));
  for (Index i = 0; i < h; ++i) pattern[i][i] = true;
  for (Index c = h; c < n; ++c)
    for (Index k = 0; k < 3; ++k) {
      const Index i = k == 0 ? c - h : static_cast<Index>(random.below(h));
      pattern[i][c] = pattern[c][i] = true;
    }
  SparseMatrix<double> A = twin::from_entries(n, pattern, random);
  for (Index j = 0; j < n; ++j)
    for (Index k = A.start[j]; k < A.start[j + 1]; ++k) A.value[k] = A.row[k] == j ? 1e-5 : 1;
  A.symmetry = Symmetry::symmetric;
  return A;
}

TEST(Analyse, EveryWayOfPairingHoldsTheFillAndMergedPairsShareAFront) {
  Random random(23);
  for (Index g : {1, 10, 25}) {
    const SparseMatrix<double> A = saddle(30, g, random);
    for (const Order ordering :
         {Order(), {Ordering::dissection}, {Ordering::metis}, {Ordering::amd}, {Ordering::natural}}) {
      for (const std::optional<PivotPairs> way :
           {std::optional<PivotPairs>(), {PivotPairs::merge}, {PivotPairs::follow}, {PivotPairs::off}}) {
        SCOPED_TRACE(std::string(to_string(ordering)) + (way ? " " + std::to_string(int(*way)) : ""));
        AnalysisPlan plan = plan_for(FactorKind::ldlt, ordering);
        plan.pivot_pairs = way;
        const Analysis analysis = analyse(A, plan);
        EXPECT_EQ(analysis.matching, "maximum product");
        expect_valid(A, analysis);
        if (way != PivotPairs::merge || ordering == Ordering::natural) continue;
        // Each constraint meets a variable that it is joined to as a pivot in its own front.
        std::vector<Index> front(A.cols);
        for (Index k = 0; k < A.cols; ++k) front[analysis.col_perm[k]] = front_of_variable(analysis.tree, k);
        for (Index c = 30; c < A.cols; ++c) {
          bool has_partner = false;
          for (Index k = A.start[c]; k < A.start[c + 1]; ++k) has_partner |= front[A.row[k]] == front[c];
          EXPECT_TRUE(has_partner) << "constraint " << c;
        }
      }
    }
  }
}

TEST(Analyse, PairsFollowWhereMergingFillsTheGraph) {
  Random random(24);
  const SparseMatrix<double> A = saddle(60, 40, random);
  const auto order = [&](double fill, double worth, std::optional<PivotPairs> way) {
    AnalysisPlan plan = plan_for(FactorKind::ldlt, Ordering::amd);
    plan.follow_fill = fill;
    plan.follow_worth = worth;
    plan.pivot_pairs = way;
    return analyse(A, plan).col_perm;
  };
  const auto followed = order(0, 0, PivotPairs::follow), merged = order(0, 0, PivotPairs::merge);
  ASSERT_NE(followed, merged);
  EXPECT_EQ(order(1, 0, {}), followed) << "without a look at the times";
  EXPECT_EQ(order(1e9, 0, {}), merged);
  EXPECT_EQ(order(1e9, 1e9, {}), followed);
}

TEST(Analyse, AutoKeepsTheTreeOfLessPredictedTime) {
  Random random(22);
  const SparseMatrix<double> A = twin::cube(12);
  const double amd = analyse(A, plan_for(FactorKind::cholesky, Ordering::amd)).predicted_s;
  const double dissection = analyse(A, plan_for(FactorKind::cholesky, Ordering::dissection)).predicted_s;
  EXPECT_NE(amd, dissection);
  EXPECT_EQ(analyse(A, plan_for(FactorKind::cholesky, {})).predicted_s, std::min(amd, dissection));
}

TEST(Analyse, HighEffortIsNoWorseAndLowEffortAnOrderToo) {
  const SparseMatrix<double> A = twin::cube(14);
  AnalysisPlan plan = plan_for(FactorKind::cholesky, Ordering::dissection);
  const double normal = analyse(A, plan).predicted_s;
  plan.effort = OrderingEffort::high;
  EXPECT_LE(analyse(A, plan).predicted_s, normal);
  plan.effort = OrderingEffort::low;
  expect_valid(A, analyse(A, plan));
}

/// Each leaf is a subtree that all dense rows are beside.
TEST(Analyse, OfAStarWithSeveralCentresTakesLinearTime) {
  const Index n = 200000, centres = 5;
  SparseMatrix<double> A;
  A.rows = A.cols = n;
  A.symmetry = Symmetry::symmetric;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < (j < centres ? n : centres); ++i) A.row.push_back(i);
    if (j >= centres) A.row.push_back(j);
    A.start.push_back(static_cast<Index>(A.row.size()));
  }
  A.value.assign(A.row.size(), 1.0);
  const Analysis analysis = analyse(A, plan_for(FactorKind::cholesky, Ordering::amd));
  EXPECT_GE(analysis.factor_nnz, (n - centres) * (centres + 1) + centres * (centres + 1) / 2);
  EXPECT_LE(analysis.factor_nnz, 2 * A.nnz()) << "a front of several leaves has zeros";
}

TEST(Analyse, DissectsWhereThatPaysInAllFactorizations) {
  const SparseMatrix<double> A = twin::cube(12);
  AnalysisPlan once = plan_for(FactorKind::cholesky, {});
  once.auto_dissection_worth = 1e9;
  const Analysis first = analyse(A, once);
  EXPECT_NE(first.order_choice.find("too little to look for another one"), std::string::npos);
  EXPECT_GT(first.order_pays_after, 0);
  AnalysisPlan often = once, high = once;
  often.factorizations = 1e18;
  high.effort = OrderingEffort::high;
  high.many_factorizations = 1e18;
  for (const AnalysisPlan& plan : {often, high}) {
    const Analysis analysis = analyse(A, plan);
    EXPECT_NE(analysis.order_choice.find("in that of"), std::string::npos);
    EXPECT_EQ(analysis.order_pays_after, 0);
  }
  for (const Ordering asked : {Ordering::amd, Ordering::natural, Ordering::metis}) {
    AnalysisPlan plan = once;
    plan.ordering = asked;
    EXPECT_EQ(analyse(A, plan).order_pays_after, 0);
  }
}

/// Three variables a point: as many nodes are ordered as there are points.
TEST(Analyse, OrdersTheVariablesOfAPointAsOne) {
  const SparseMatrix<double> A = generate("elasticity", 13);
  EXPECT_EQ(analyse(A, plan_for(FactorKind::cholesky, {})).variable_block, 3);
  EXPECT_EQ(analyse(A, plan_for(FactorKind::cholesky, Ordering::metis)).variable_block, 3);
  EXPECT_EQ(analyse(A, plan_for(FactorKind::cholesky, Ordering::natural)).variable_block, 1);
  EXPECT_EQ(analyse(generate("cube", 12), plan_for(FactorKind::cholesky, {})).variable_block, 1);
}

TEST(Analyse, IsTheSameWhenSeveralThreadsAnalyseAtOnce) {
  const SparseMatrix<double> A = twin::cube(10);
  const AnalysisPlan plan = plan_for(FactorKind::cholesky, Ordering::metis);
  const std::vector<Index> alone = analyse(A, plan).col_perm;
  std::vector<std::future<std::vector<Index>>> together;
  for (int k = 0; k < 8; ++k)
    together.push_back(std::async(std::launch::async, [&] { return analyse(A, plan).col_perm; }));
  for (auto& result : together) EXPECT_EQ(result.get(), alone);
}

TEST(Analyse, TakesAllFourTypes) {
  SparseMatrix<std::complex<float>> A;
  A.rows = A.cols = 2;
  A.start = {0, 2, 4};
  A.row = {0, 1, 0, 1};
  A.value = {{0, 0}, {0, 3}, {0, -3}, {0, 0}};
  A.symmetry = Symmetry::hermitian;
  const Analysis analysis = analyse(A, plan_for(FactorKind::ldlt, Ordering::amd));
  EXPECT_TRUE(analysis.hermitian);
  EXPECT_FALSE(analyse(A, plan_for(FactorKind::lu, Ordering::amd)).hermitian);
  EXPECT_EQ(analysis.tree.fronts(), 1);
}

}  // namespace
}  // namespace overlapack::sparse
