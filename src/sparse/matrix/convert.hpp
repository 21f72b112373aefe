#pragma once
#include "overlapack/sparse_matrix.hpp"

namespace overlapack::sparse {

/// The same matrix with values of another scalar type, rounded to it.
/// Errors  BadInput if an entry has an imaginary part that To cannot hold, or overflows To (names the entry)
template <class To, class From>
SparseMatrix<To> convert(const SparseMatrix<From>& A);

}  // namespace overlapack::sparse
