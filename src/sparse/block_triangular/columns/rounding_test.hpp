#pragma once
#include "sparse/analysis/analysis.hpp"

#include <vector>

namespace overlapack::sparse {
struct FactorPlan;
}

namespace overlapack::sparse::block_triangular {

/// Is the pivot of a column more than rounding? It is if it reaches a share (FactorPlan::singular_pivot) of
/// the largest entry of its row or of its column, whichever is smaller, as in PivotCheck. ColumnLu, which
/// chooses pivots, and ColumnRefactor, which keeps them, have this rule in common.
template <class T>
class RoundingTest {
 public:
  RoundingTest(const SparseMatrix<T>& A, const Analysis& analysis, const FactorPlan& plan);

  /// size: of the pivot; column_size: the largest entry of its column in its block; row: its row of B in the analysed order
  bool passes(double size, double column_size, Node row) {
    return size > 0 && (size >= least_ * column_size || size >= least_ * row_size(row));
  }
  /// The largest entry of a row of B. Computed for all rows at the first call, since columns nearly always suffice.
  double row_size(Node row);

 private:
  const SparseMatrix<T>& A_;
  const Analysis& analysis_;
  double least_;
  std::vector<double> row_size_;  ///< by rows of A
};

}  // namespace overlapack::sparse::block_triangular
