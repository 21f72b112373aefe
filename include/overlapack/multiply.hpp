#pragma once
/// Products with sparse matrices.
#include "overlapack/factors.hpp"
#include "overlapack/options.hpp"

#include <span>
#include <vector>

namespace overlapack {

/// The product op(A) x.
/// Shapes  A: a valid matrix; the rows of a column may be in any order
/// Errors  BadInput if x has another length than op(A) has columns
template <class T>
OVERLAPACK_API std::vector<T> multiply(const SparseMatrix<T>& A, std::span<const T> x,
                                       Transpose op = Transpose::none);

/// The row sums of op(A), for a matrix whose entries are distributed as for factorize_distributed. The result is on the first process,
/// empty on the others. As a right-hand side it has the known solution x = (1, ..., 1).
/// Shapes  parts: as for factorize_distributed
/// Sync    collective over the processes of an MPI run
/// Errors  BadInput if a row of op(A) is outside the matrix
template <class T>
OVERLAPACK_API std::vector<T> row_sums(const std::vector<Triplets<T>>& parts, const Options& options = {},
                                       Transpose op = Transpose::none);

}  // namespace overlapack
