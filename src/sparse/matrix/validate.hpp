#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <span>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::sparse {

/// Check a user's matrix before anything else reads it: offsets, indices, finite values.
/// Columns may be unsorted and hold duplicates (make_canonical repairs that).
/// Cost    one pass over the entries
/// Errors  BadInput: one sentence that names the first entry at fault and what to do
template <class T>
void validate(const SparseMatrix<T>& A, comm::Tasks& tasks);
template <class T>
void validate(const SparseMatrix<T>& A);

/// No NaN, no infinity?
template <class T>
bool are_finite(std::span<const T> values);

/// What a solver asks for beyond validate(): square and at least 1 x 1.
/// Errors  BadInput
void require_square(Index rows, Index cols);

/// a * b and a + b of sizes.
/// Errors  BadInput "`what` does not fit a 64-bit count" when the result leaves Index
Index checked_product(Index a, Index b, const char* what);
Index checked_sum(Index a, Index b, const char* what);

}  // namespace overlapack::sparse
