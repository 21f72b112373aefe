#pragma once
#include "sparse/analysis/analysis.hpp"
#include "sparse/analysis/graph/pairs.hpp"

#include <string>
#include <vector>

namespace overlapack::sparse {

/// Which row stands on the diagonal of each column, and by what rows and columns are multiplied.
struct Scaling {
  std::vector<Index> row_of_column;
  std::vector<double> row_scale, col_scale;
  std::string matching;            ///< "off" or "maximum product"
  std::string scaling;             ///< "matching", "ruiz" or "off"
  Index structural_rank = -1;      ///< -1: not known
  PivotPartners partners;          ///< ldlt, or lu with kept rows, after a matching; else empty
  std::vector<Index> matched_row;  ///< the same: the row matched to each column
};

/// The moduli of the diagonal entries and of the largest entries of the columns.
struct ColumnSizes {
  std::vector<double> diagonal, largest;
};
/// Shapes  A: the rows of a matrix from first_row on; its own diagonal is the matrix's
template <class T>
ColumnSizes column_sizes(const SparseMatrix<T>& A, comm::Tasks& tasks, Index first_row = 0);

/// Whether choose_scaling looks at the moduli of single entries; else it takes the same decisions from any entries that are
/// not zero, with a diagonal that is zero where the matrix's is.
/// Errors  BadPlan for an unknown choice
bool needs_moduli(const ColumnSizes& sizes, const AnalysisPlan& plan);

/// Decides by plan.matching whether a maximum-product matching is worth its time, and takes it.
/// lu: the matched entries become the diagonal; scaled, they are about 1 and no entry is much larger.
/// ldlt: rows stay; the scalings r and c of the matching become sqrt(r c) on both sides, and its cycles give
///       pairs of variables that make good 2x2 pivots.
/// cholesky: never.
/// Errors  Singular when a matching is needed and the structural rank is below n; BadPlan for an unknown choice
template <class T>
Scaling choose_scaling(const SparseMatrix<T>& A, const AnalysisPlan& plan, comm::Tasks& tasks);

}  // namespace overlapack::sparse
