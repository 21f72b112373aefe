#pragma once
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"

namespace overlapack::sparse {

/// Measure how well the matching of an analysis, or the diagonal of LU, fits the values of A. The result is the geometric mean over the columns
/// of (scaled modulus of the matched entry) / (largest scaled modulus of the column). 1 is best; it is 0 if one matched entry is zero. Matched
/// positions without an entry are left out. If nothing is matched, it is 1.
/// Shapes  A canonical, of the pattern that was analysed
/// Cost    O(nnz)
template <class T>
double matching_share(const SparseMatrix<T>& A, const Analysis& analysis);

}  // namespace overlapack::sparse
