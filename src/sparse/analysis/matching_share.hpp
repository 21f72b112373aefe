#pragma once
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/analysis.hpp"

namespace overlapack::sparse {

/// How large the entries are that an analysis has matched, or taken for the diagonal of LU: the geometric mean over the columns of
/// scaled modulus / largest scaled modulus of the column. 1 is best, 0 where one of them is zero. Positions without an entry do not
/// count; 1 where nothing is matched.
/// Shapes  A canonical, of the pattern that was analysed
/// Cost    O(nnz)
template <class T>
double matching_share(const SparseMatrix<T>& A, const Analysis& analysis);

}  // namespace overlapack::sparse
