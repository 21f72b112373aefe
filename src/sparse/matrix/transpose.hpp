#pragma once
#include "overlapack/sparse_matrix.hpp"

namespace overlapack::sparse {

/// A^T. The rows in its columns ascend, in whatever order those of A are.  Cost O(nnz + rows + cols)
template <class T>
SparseMatrix<T> transpose(const SparseMatrix<T>& A);

/// A^H: the transpose with every value conjugated.  Cost O(nnz + rows + cols)
template <class T>
SparseMatrix<T> conjugate_transpose(const SparseMatrix<T>& A);

}  // namespace overlapack::sparse
