#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <span>
#include <vector>

namespace overlapack::iterative {

/// Options for cutting blocks where coefficients jump.
struct CoarsePartPlan {
  /// A coupling joins two rows if it is at least this share of the geometric mean of both rows' largest couplings.
  double strong = 0.1;
  Index least_rows = 2;  ///< least rows of a part of its own
  Index most = 32;       ///< most parts of a block, the largest ones; the rest of the block is one more
};

/// A division of the rows into parts.
struct CoarseParts {
  std::vector<int> of_row;  ///< by row: its part
  int count = 0;
};

/// Divides blocks into parts that are strongly coupled inside. The reason: if a coefficient jumps in a block, a vector that A
/// nearly maps to 0 is nearly constant on each part, but not on the block. The coupling of two rows is the smaller one of |a_ij|
/// and |a_ji|, so that upwind-discretised convection does not count.
/// Shapes  A: square; transpose: that of A; block: by row, from 0 to blocks - 1, none of them empty
/// Cost    O(nnz + n log n)
/// Source  the strength of connection of algebraic multigrid (Vanek, Mandel, Brezina 1996, who use the diagonal of A where this
/// uses
///         the largest couplings)
template <class T>
CoarseParts coarse_parts(const SparseMatrix<T>& A, const SparseMatrix<T>& transpose,
                         std::span<const int> block, int blocks, const CoarsePartPlan& plan);

}  // namespace overlapack::iterative
