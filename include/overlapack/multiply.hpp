#pragma once
/// Products with sparse matrices.
#include "overlapack/factors.hpp"
#include "overlapack/options.hpp"

#include <span>
#include <vector>

namespace overlapack {

/// op(A) x.
/// Shapes  A: valid, its columns in any order
/// Errors  BadInput if x has another length than op(A) has columns
template <class T>
OVERLAPACK_API std::vector<T> multiply(const SparseMatrix<T>& A, std::span<const T> x,
                                       Transpose op = Transpose::none);

/// op(A) * ones of a matrix whose entries are on the ranks (factorize_distributed), on the first process; a right-hand side whose
/// solution is known.
/// Shapes  parts: as for factorize_distributed
/// Sync    collective over the processes of an MPI run
/// Errors  BadInput for rows (op: columns) outside
template <class T>
OVERLAPACK_API std::vector<T> row_sums(const std::vector<Triplets<T>>& parts, const Options& options = {},
                                       Transpose op = Transpose::none);

}  // namespace overlapack
