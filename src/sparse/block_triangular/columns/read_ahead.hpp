#pragma once
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"

#include <algorithm>
#include <span>

namespace overlapack::sparse::block_triangular {

/// Prefetches what the columns a few pivots after pivot k need: for the farthest one its start and scale, for a
/// nearer one its first entries, for the nearest one positions and scales of its rows. Consecutive pivots have
/// columns anywhere in A, so that each would otherwise begin with misses of the cache.
/// column_of: pivot -> column of A
/// position: row of A -> where it is among the pivots
/// always_inline, since GCC removes calls of a function that only prefetches.
template <class T, class ColumnOf>
[[gnu::always_inline]] inline void read_ahead(const SparseMatrix<T>& A, const Analysis& analysis,
                                              const ColumnOf& column_of, std::span<const Node> position,
                                              Index k) {
  constexpr Index step = 8;     // columns
  constexpr Index entries = 8;  // of a column, one line of memory
  if (k + 3 * step >= A.cols) return;
  const Index far = column_of(k + 3 * step), middle = column_of(k + 2 * step), near = column_of(k + step);
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

/// The same where pivots have the analysed order.
template <class T>
[[gnu::always_inline]] inline void read_ahead(const SparseMatrix<T>& A, const Analysis& analysis,
                                              std::span<const Node> position, Index k) {
  read_ahead(
      A, analysis, [&](Index pivot) { return analysis.col_perm[pivot]; }, position, k);
}

}  // namespace overlapack::sparse::block_triangular
