#pragma once
/// Sparse matrices from arrays of the caller: compressed rows or columns, lists of entries, and the matrices of finite elements.
#include "overlapack/export.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack {

/// A matrix of order n as the sum of small dense matrices. Element e has the variables variable[start[e] .. start[e + 1]); `value`
/// holds its k x k numbers by columns, one element after the other. With a symmetry it holds the k (k + 1) / 2 numbers of the lower
/// triangle by columns.
template <class T>
struct Elements {
  Index n = 0;
  std::vector<Index> start{0};
  std::vector<Index> variable;
  std::vector<T> value;
  Symmetry symmetry = Symmetry::general;  ///< general, symmetric or hermitian
};

/// How many numbers such elements have: the length of `value`.
/// Errors  BadInput: starts that do not begin with 0 or that decrease, or another symmetry
template <class T>
OVERLAPACK_API Index numbers_of(const Elements<T>& elements);

/// The matrix by columns, with both triangles.
/// Cost    O(entries + rows + cols) time, a copy of the arrays, of rows two
/// Errors  BadInput: starts that do not begin with base or that decrease, an index outside, arrays of another length, entries on both
///         sides of the diagonal of a half
template <class T, class I>
OVERLAPACK_API SparseMatrix<T> assemble(const Compressed<T, I>& arrays);
/// The matrix by columns. Entries at one position are added up, in the order of the list.
/// Cost    O(entries + rows + cols) time, two copies of the entries
/// Errors  BadInput: lists of different lengths, or an index outside
template <class T>
OVERLAPACK_API SparseMatrix<T> assemble(const Triplets<T>& entries);
/// The same of elements, with both triangles.
/// Errors  BadInput: starts that decrease, a variable outside, more or fewer numbers than the elements have, or another symmetry
template <class T>
OVERLAPACK_API SparseMatrix<T> assemble(const Elements<T>& elements);

}  // namespace overlapack
