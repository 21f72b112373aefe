#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <span>
#include <vector>

namespace overlapack::iterative {

/// How blocks are cut where coefficients jump.
struct CoarsePartPlan {
  /// Couplings from this share of the geometric mean of both rows' largest ones on join.
  double strong = 0.1;
  Index least_rows = 2;  ///< of a part, and
  Index most = 32;       ///< parts of a block, the largest; the rest of the block is one more
};

/// Rows by parts.
struct CoarseParts {
  std::vector<int> of_row;
  int count = 0;
};

/// Blocks cut into parts that are coupled strongly within: where a coefficient jumps, a vector that A nearly maps to 0 is nearly
/// constant on each part, and not on the block. A coupling of two rows is the smaller one of |a_ij| and |a_ji|, in which a wind that is
/// discretised upstream does not count.
/// Shapes  A: square; transpose: that of A; block: of each row, from 0 to blocks - 1, none of them empty
/// Cost    O(nnz + n log n)
/// Source  strength of connection as algebraic multigrid has it (Vanek, Mandel, Brezina 1996, with the diagonal of A in the place of
///         the largest couplings)
template <class T>
CoarseParts coarse_parts(const SparseMatrix<T>& A, const SparseMatrix<T>& transpose,
                         std::span<const int> block, int blocks, const CoarsePartPlan& plan);

}  // namespace overlapack::iterative
