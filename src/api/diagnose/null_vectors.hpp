#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack::api {

/// A sparse vector v for which A v is nearly zero.
template <class T>
struct NullVector {
  std::vector<Index> support;  ///< positions of its nonzeros, from the largest down
  std::vector<T> values;       ///< its values there; the largest is 1
  Index pivot = -1;        ///< position of its largest entry, at which the other vectors of its kind are zero
  double share = 0;        ///< max_i |A v|_i / (|A| |v|)_i, without entries of v that should be zero
  bool is_proved = false;  ///< the share is rounding: the last digits of A decide whether v is a null vector
};

/// Make a sparse basis of the space that the columns of Z span: first proved null vectors, then vectors that are nearly null vectors.
/// Shapes  Z: n x k by columns, orthonormal, with A Z zero or nearly zero
/// Cost    O(n k^2)
template <class T>
std::vector<NullVector<T>> sparse_null_basis(const SparseMatrix<T>& A, std::vector<T> Z, Index k);

}  // namespace overlapack::api
