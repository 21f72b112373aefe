#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack::api {

/// A vector that a matrix nearly takes to zero.
template <class T>
struct NullVector {
  std::vector<Index> support;  ///< where it is not zero, the largest first
  std::vector<T> values;       ///< its numbers there; the largest is 1
  Index pivot = -1;            ///< its largest entry, where the other vectors of its kind are zero
  double share = 0;            ///< max_i |A v|_i / (|A| |v|)_i, parts of v that should be zero left out
  bool is_proved = false;      ///< the share is rounding: last digits of A decide whether v is a null vector
};

/// A basis of what the columns of Z span, sparse: proved null vectors, then those that are nearly so.
/// Shapes  Z: n x k by columns, orthonormal, of a space that A takes to zero, or nearly
/// Cost    O(n k^2)
template <class T>
std::vector<NullVector<T>> sparse_null_basis(const SparseMatrix<T>& A, std::vector<T> Z, Index k);

}  // namespace overlapack::api
