#pragma once
#include "overlapack/overlapack.h"
#include "overlapack/sparse_matrix.hpp"

namespace overlapack::c {

/// What an olp_half claims of a matrix of this shape.
/// Errors  BadInput: another number, or a triangle of a matrix that is not square
Symmetry symmetry_from(int half, Index rows, Index cols);

/// Errors  BadInput: a layout, index_bytes, base, size or half that there is not
void check_description(const olp_matrix& A);

/// Does A give a type alone, as on the ranks of MPI without a matrix?
bool is_type_alone(const olp_matrix& A);

/// The caller's matrix as the library holds it: by columns, both triangles.
/// Shapes  A.type is T's
/// Cost    one copy, for compressed rows two
/// Errors  BadInput: one sentence that names what is wrong in the caller's numbers (base, rows or columns)
template <class T>
SparseMatrix<T> whole_matrix(const olp_matrix& A);

/// The same, or an empty one of a rank of MPI that has no matrix.
template <class T>
SparseMatrix<T> callers_matrix(const olp_matrix& A) {
  return is_type_alone(A) ? SparseMatrix<T>{} : whole_matrix<T>(A);
}

/// The lines A.first .. A.first + A.count - 1 of a distributed matrix, which this rank gives, as a list of entries.
/// Errors  as above
template <class T>
Triplets<T> my_lines_as_triplets(const olp_matrix& A);

/// Move a matrix into *to for a caller, who frees it by olp_free_matrix.
template <class T>
void move_to_caller(SparseMatrix<T> matrix, olp_matrix* to);

}  // namespace overlapack::c
