#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack {

/// P A Q = L U in one piece: L is unit lower triangular, U upper triangular; row i of A is row row_position[i] of P A, column j of
/// A is column col_position[j] of A Q.
template <class T>
struct TriangularFactors {
  SparseMatrix<T> L, U;
  std::vector<Index> row_position, col_position;
};

}  // namespace overlapack
