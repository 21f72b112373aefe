#include "sparse/analysis/matching_share.hpp"

#include "overlapack/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace overlapack::sparse {
namespace {

/// The definition on a dense matrix, by a product.
double slow_share(const SparseMatrix<double>& A, const Analysis& analysis, const std::vector<Index>& row) {
  const auto n = static_cast<std::size_t>(A.rows);
  std::vector<long double> dense(n * n);
  for (std::size_t j = 0; j < n; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      dense[static_cast<std::size_t>(A.row[p]) + j * n] =
          std::abs(A.value[p]) * analysis.row_scale[A.row[p]] * analysis.col_scale[j];
  long double product = 1;
  for (std::size_t j = 0; j < n; ++j)
    product *= dense[static_cast<std::size_t>(row[j]) + j * n] /
               *std::max_element(dense.begin() + j * n, dense.begin() + (j + 1) * n);
  return static_cast<double>(std::pow(product, 1.0L / n));
}

/// LU with moved rows and with kept ones, L D L^T; zeroing a matched entry is heard.
void expect_mean_of_matched(const AnalysisPlan& plan, bool moves_rows) {
  SparseMatrix<double> A = generate("saddle", 4);
  const Analysis analysis = analyse(A, plan);
  std::vector<Index> row = analysis.matched_row;
  EXPECT_EQ(row.empty(), moves_rows);
  row.resize(static_cast<std::size_t>(A.rows));
  for (std::size_t k = 0; moves_rows && k < row.size(); ++k)
    row[static_cast<std::size_t>(analysis.col_perm[k])] = analysis.row_perm[k];
  const double share = slow_share(A, analysis, row);
  EXPECT_GT(share, 0.25);
  // a logarithm and a sum a column
  EXPECT_NEAR(matching_share(A, analysis), share, 1e-15 * static_cast<double>(A.rows));
  for (Index p = A.start[5]; p < A.start[6]; ++p)
    if (A.row[p] == row[5]) A.value[p] = 0;
  EXPECT_EQ(matching_share(A, analysis), 0);
}

TEST(MatchingShare, IsTheMeanOfTheMatchedEntries) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt})
    for (const double kept_rows_worth : {0.0, AnalysisPlan().kept_rows_worth}) {
      AnalysisPlan plan;
      plan.kind = kind;
      plan.matching = Switch::on;
      plan.kept_rows_worth = kept_rows_worth;
      expect_mean_of_matched(plan, kind == FactorKind::lu && kept_rows_worth == 0);
    }
}

TEST(MatchingShare, IsOneWithoutAMatching) {
  for (const FactorKind kind : {FactorKind::lu, FactorKind::ldlt}) {
    const SparseMatrix<double> A = generate("saddle", 4);
    AnalysisPlan plan;
    plan.kind = kind;
    plan.matching = Switch::off;
    const Analysis analysis = analyse(A, plan);
    EXPECT_TRUE(analysis.matched_row.empty());
    EXPECT_EQ(matching_share(A, analysis), 1);  // positions without an entry do not count
  }
}

}  // namespace
}  // namespace overlapack::sparse
