#pragma once
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"

#include <cstdint>
#include <vector>

namespace overlapack::sparse::batch {

/// L and U of B = Dr P A Q Dc with the pivots on its diagonal, as positions alone: what all systems of a batch have in common.
/// Column j of U ends above its diagonal, which is kept apart, and column j of L begins below it; rows ascend.
struct PatternLu {
  Index n = 0;
  std::vector<Index> start;                  ///< of A's columns, in A's order
  std::vector<std::int32_t> row;             ///< of A's entries: their rows in A,
  std::vector<std::int32_t> in_b;            ///< and in B
  std::vector<std::int32_t> column_of;       ///< column j of B is this one of A
  std::vector<std::int32_t> row_of;          ///< row i of B is this one of A
  std::vector<double> row_scale, col_scale;  ///< by rows and columns of A
  std::vector<std::int32_t> lower_start, lower_row, upper_start, upper_row;

  Index entries_of_L() const { return static_cast<Index>(lower_row.size()); }
  Index entries_of_U() const { return static_cast<Index>(upper_row.size()); }
  /// Multiplications of one elimination.
  double products() const;
};

/// Shapes  A: canonical, the pattern that was analysed
template <class T>
PatternLu pattern_lu(const SparseMatrix<T>& A, const Analysis& analysis);

}  // namespace overlapack::sparse::batch
