#pragma once
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"

#include <cstdint>
#include <vector>

namespace overlapack::sparse::batch {

/// The pattern of L and U of B = Dr P A Q Dc with the pivots on B's diagonal, which all systems of a batch
/// have in common. Column j of U ends above the diagonal, which is kept apart, and column j of L begins below
/// it; rows ascend.
struct PatternLu {
  Index n = 0;
  std::vector<Index> start;                  ///< column of A -> its first entry; and the end
  std::vector<std::int32_t> row;             ///< entry of A -> its row in A
  std::vector<std::int32_t> in_b;            ///< entry of A -> its row in B
  std::vector<std::int32_t> column_of;       ///< column of B -> column of A
  std::vector<std::int32_t> row_of;          ///< row of B -> row of A
  std::vector<double> row_scale, col_scale;  ///< by rows and columns of A
  std::vector<std::int32_t> lower_start, lower_row, upper_start, upper_row;

  Index entries_of_L() const { return static_cast<Index>(lower_row.size()); }
  Index entries_of_U() const { return static_cast<Index>(upper_row.size()); }
  /// Number of multiplications of one elimination.
  double products() const;
};

/// Shapes  A: canonical, the pattern that was analysed
template <class T>
PatternLu pattern_lu(const SparseMatrix<T>& A, const Analysis& analysis);

}  // namespace overlapack::sparse::batch
