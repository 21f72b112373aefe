#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack {

/// The whole factors of P A Q = L U as two sparse matrices. L is unit lower triangular, U upper triangular. Row i of A is row
/// row_position[i] of P A, and column j of A is column col_position[j] of A Q.
template <class T>
struct TriangularFactors {
  SparseMatrix<T> L, U;
  std::vector<Index> row_position, col_position;
};

/// The whole factors of P A P^T = L D L^T (L D L^H if A is Hermitian) as two sparse matrices. L is unit lower triangular. D is block
/// diagonal with blocks of order 1 and 2, and has A's symmetry. Row and column i of A are row and column position[i] of P A P^T.
template <class T>
struct SymmetricFactors {
  SparseMatrix<T> L, D;
  std::vector<Index> position;
};

}  // namespace overlapack
