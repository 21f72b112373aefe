#include "overlapack/generate.hpp"
#include "sparse/analysis/analysis.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <map>
#include <vector>

/// LU whose rows stay although a matching was made.
namespace overlapack::sparse {
namespace {

/// [K B; C 0] with a symmetric pattern and C = 3 B^T, from a saddle point matrix.
template <class T>
SparseMatrix<T> unsymmetric_saddle(Index points) {
  const SparseMatrix<double> S = generate("saddle", points);
  SparseMatrix<T> A{S.rows, S.cols, S.start, S.row, {}};
  for (Index j = 0; j < S.cols; ++j)
    for (Index p = S.start[j]; p < S.start[j + 1]; ++p)
      A.value.push_back(static_cast<T>(S.row[p] > j ? 3 * S.value[p] : S.value[p]));
  return A;
}

AnalysisPlan lu_plan() {
  AnalysisPlan plan;
  plan.kind = FactorKind::lu;
  return plan;
}

template <class T>
void expect_kept_rows() {
  const auto A = unsymmetric_saddle<T>(10);
  const AnalysisPlan plan = lu_plan();
  AnalysisPlan moved = plan;
  moved.kept_rows_worth = 0;
  const Analysis kept = analyse(A, plan), matched = analyse(A, moved);
  EXPECT_EQ(kept.matching, "maximum product");
  EXPECT_EQ(kept.row_perm, kept.col_perm);
  EXPECT_EQ(kept.matched_row.size(), static_cast<std::size_t>(A.cols));
  EXPECT_NE(kept.order_choice.find("rows as given"), std::string::npos) << kept.order_choice;
  EXPECT_NE(matched.row_perm, matched.col_perm);
  EXPECT_TRUE(matched.matched_row.empty());
  EXPECT_LT(kept.flops, matched.flops);
}

TEST(KeptRows, ASymmetricPatternWithoutADiagonalKeepsItsRows) {
  expect_kept_rows<double>();
  expect_kept_rows<std::complex<float>>();
}

TEST(KeptRows, NotWhereTheOrderIsGivenOrTheDiagonalIsLarge) {
  AnalysisPlan plan = lu_plan();
  plan.ordering = Ordering::natural;
  EXPECT_TRUE(analyse(unsymmetric_saddle<double>(6), plan).matched_row.empty());
  const Analysis convection = analyse(generate("convection", 8), lu_plan());
  EXPECT_EQ(convection.matching, "off");
  EXPECT_TRUE(convection.matched_row.empty());
}

/// A long cycle in a symmetric pattern: the entry of a variable's partner that leads back is tiny.
TEST(KeptRows, NotWherePartnersLackAnEntry) {
  const SparseMatrix<double> grid = generate("cube", 10);
  const Index n = grid.rows;
  SparseMatrix<double> A{n, n, {0}, {}, {}};
  for (Index j = 0; j < n; ++j) {
    std::map<Index, double> column;
    for (Index p = grid.start[j]; p < grid.start[j + 1]; ++p) column[grid.row[p]] = 1e-4;
    column[(j + n - 1) % n] = 1e-4;
    column[(j + 1) % n] = 50;
    for (const auto& [i, value] : column) {
      A.row.push_back(i);
      A.value.push_back(value);
    }
    A.start.push_back(A.nnz());
  }
  AnalysisPlan plan = lu_plan();
  const Analysis moved = analyse(A, plan);
  EXPECT_EQ(moved.matching, "maximum product");
  EXPECT_TRUE(moved.matched_row.empty());
  plan.kept_rows_weak = 1;  // partners do not count
  EXPECT_FALSE(analyse(A, plan).matched_row.empty());
}

}  // namespace
}  // namespace overlapack::sparse
