#pragma once
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"

#include <algorithm>
#include <span>

namespace overlapack::sparse::block_triangular {

/// Asks memory for what the columns a few pivots after `column` need. In the order of pivots they are anywhere in A, so that the first
/// entry of each would be waited for: its start, then its numbers, then what is kept by their rows.
/// position: row of A -> where it is among the pivots
/// Inlined: of a function that does nothing else, GCC takes calls away.
template <class T>
[[gnu::always_inline]] inline void read_ahead(const SparseMatrix<T>& A, const Analysis& analysis,
                                              std::span<const Node> position, Index column) {
  constexpr Index step = 8;     // columns
  constexpr Index entries = 8;  // of a column, one line of memory
  if (column + 3 * step >= static_cast<Index>(analysis.col_perm.size())) return;
  const Index far = analysis.col_perm[column + 3 * step], middle = analysis.col_perm[column + 2 * step],
              near = analysis.col_perm[column + step];
  __builtin_prefetch(&A.start[far]);
  __builtin_prefetch(&analysis.col_scale[far]);
  const Index begin = A.start[middle];
  __builtin_prefetch(A.row.data() + begin);
  __builtin_prefetch(A.value.data() + begin);
  const Index end = std::min(A.start[near + 1], A.start[near] + entries);
  for (Index p = A.start[near]; p < end; ++p) {
    __builtin_prefetch(&position[A.row[p]]);
    __builtin_prefetch(&analysis.row_scale[A.row[p]]);
  }
}

}  // namespace overlapack::sparse::block_triangular
