#pragma once
#include "overlapack/overlapack.h"
#include "overlapack/sparse_matrix.hpp"

namespace overlapack::c {

/// The symmetry that an olp_half claims for a matrix of this shape.
/// Errors  BadInput: `half` is not an olp_half, or claims a triangle of a matrix that is not square
Symmetry symmetry_from(int half, Index rows, Index cols);

/// Check layout, index_bytes, base, sizes and half of a caller's matrix.
/// Errors  BadInput for a value that does not exist
void check_description(const olp_matrix& A);

/// Whether only the type of A is set, as on ranks of MPI without a matrix.
bool is_type_alone(const olp_matrix& A);

/// Copy the caller's matrix to the library's form: by columns, with both triangles.
/// Shapes  A.type is T's
/// Cost    one copy, for compressed rows two
/// Errors  BadInput: one sentence that names what is wrong in the caller's numbers (base, rows or columns)
template <class T>
SparseMatrix<T> whole_matrix(const olp_matrix& A);

/// whole_matrix, or an empty matrix on a rank of MPI that has none.
template <class T>
SparseMatrix<T> callers_matrix(const olp_matrix& A) {
  return is_type_alone(A) ? SparseMatrix<T>{} : whole_matrix<T>(A);
}

/// Copy the lines A.first to A.first + A.count - 1 of a distributed matrix, which this rank gives, to a list of entries.
/// Errors  as whole_matrix
template <class T>
Triplets<T> my_lines_as_triplets(const olp_matrix& A);

/// Move a matrix into *to. The caller frees it by olp_free_matrix.
template <class T>
void move_to_caller(SparseMatrix<T> matrix, olp_matrix* to);

}  // namespace overlapack::c
