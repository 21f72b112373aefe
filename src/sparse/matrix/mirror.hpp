#pragma once
#include "overlapack/sparse_matrix.hpp"

namespace overlapack::sparse {

/// The mirror image, in the other triangle, of an entry x of a matrix with this symmetry.
template <class T>
T counterpart(const T& x, Symmetry symmetry) {
  if (symmetry == Symmetry::skew) return -x;
  return symmetry == Symmetry::hermitian ? conjugate(x) : x;
}

/// The full matrix from one stored triangle: A = L + op(strict L), op by symmetry: ^T, -^T (skew) or ^H.
/// Shapes  L square and canonical, all its entries on one side of the diagonal or on it
/// Cost    O(nnz + n)
template <class T>
SparseMatrix<T> mirror_triangle(const SparseMatrix<T>& L, Symmetry symmetry);

}  // namespace overlapack::sparse
