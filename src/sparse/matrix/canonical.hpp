#pragma once
#include "overlapack/sparse_matrix.hpp"

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::sparse {

/// True if the rows of every column ascend strictly.
template <class T>
bool is_canonical(const SparseMatrix<T>& A);

/// Sort the rows of every column and add up entries at the same position, in their order.
/// Returns the number of entries that were added to an earlier one.
/// Shapes  offsets and indices valid (validate.hpp)
/// Cost    O(nnz + rows + cols) time, one more copy of the entries; one pass if A is canonical already
template <class T>
Index make_canonical(SparseMatrix<T>& A, comm::Tasks& tasks);
template <class T>
Index make_canonical(SparseMatrix<T>& A);

}  // namespace overlapack::sparse
