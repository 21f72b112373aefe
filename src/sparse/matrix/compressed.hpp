#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <string_view>

namespace overlapack::sparse {

/// "row" or "column".
std::string_view line_name(Lines by);

/// The lines of the arrays (rows or columns, maybe some of the matrix alone) as the columns of a matrix,
/// counted from 0.
/// Errors  BadInput: one sentence in the caller's terms (base, rows or columns)
template <class T, class I>
SparseMatrix<T> columns_of_lines(const Compressed<T, I>& arrays);

/// Both triangles of a matrix that is given by one.
/// Errors  BadInput: not square, a symmetry that no half has, entries on both sides of the diagonal
template <class T>
SparseMatrix<T> both_triangles(SparseMatrix<T> triangle, Symmetry symmetry);

/// Can a matrix of this shape be given by a triangle?
/// Errors  BadInput, as above
void require_half(Symmetry symmetry, Index rows, Index cols);

/// The whole matrix by columns, both triangles; it need not be canonical.
/// Errors  as above
template <class T, class I>
SparseMatrix<T> whole(const Compressed<T, I>& arrays);

}  // namespace overlapack::sparse
