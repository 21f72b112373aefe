#pragma once
#include "sparse/analysis/analysis.hpp"
#include "sparse/analysis/graph/pairs.hpp"

#include <string>
#include <vector>

namespace overlapack::sparse {

/// The row that is matched to the diagonal of each column, and the scales of rows and columns.
struct Scaling {
  std::vector<Index> row_of_column;
  std::vector<double> row_scale, col_scale;
  std::string matching;        ///< "off" or "maximum product"
  std::string scaling;         ///< "matching", "ruiz" or "off"
  Index structural_rank = -1;  ///< -1: not known
  PivotPartners partners;      ///< ldlt, or lu with kept rows, after a matching; else empty
  std::vector<Index>
      matched_row;  ///< ldlt, or lu with kept rows, after a matching: the row matched to each column; else empty
};

/// The moduli of the diagonal entries and of the largest entries of the columns.
struct ColumnSizes {
  std::vector<double> diagonal, largest;
};
/// Find the sizes of the columns.
/// Shapes  A: the rows of a matrix from first_row on. The diagonal is that of the whole matrix
template <class T>
ColumnSizes column_sizes(const SparseMatrix<T>& A, comm::Tasks& tasks, Index first_row = 0);

/// Whether choose_scaling needs the moduli of all entries. If not, it makes the same decisions for any other nonzero values with zeros at the
/// same places of the diagonal.
/// Errors  BadPlan for an unknown choice
bool needs_moduli(const ColumnSizes& sizes, const AnalysisPlan& plan);

/// Choose matching and scaling. It decides by plan.matching whether a maximum-product matching is worth its time, and computes it.
/// lu: the matched entries become the diagonal; scaled, they are about 1 and no entry is much larger.
/// ldlt: rows stay; the scalings r and c of the matching become sqrt(r c) on both sides, and its cycles give
///       pairs of variables that make good 2x2 pivots.
/// cholesky: never.
/// Errors  Singular when a matching is needed and the structural rank is below n; BadPlan for an unknown choice
template <class T>
Scaling choose_scaling(const SparseMatrix<T>& A, const AnalysisPlan& plan, comm::Tasks& tasks);

}  // namespace overlapack::sparse
