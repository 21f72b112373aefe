#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack::sparse {

/// Scales that bring the largest entry of every row and column of Dr A Dc near 1. All are powers of two.
struct Equilibration {
  std::vector<double> row_scale, col_scale;
};

/// Equilibrate A in the maximum norm by Ruiz's iteration. Each sweep divides all rows and columns at once by the square roots of their largest
/// entries. Rows and columns without entries keep the scale 1. For a symmetric or Hermitian A, Dr = Dc.
/// Shapes  A square and finite
/// Cost    O(nnz) a sweep, at most 20 sweeps
/// Source  D. Ruiz, A scaling algorithm to equilibrate both rows and columns norms in matrices, RAL-TR-2001-034
template <class T>
Equilibration equilibrate(const SparseMatrix<T>& A, bool is_symmetric);

}  // namespace overlapack::sparse
