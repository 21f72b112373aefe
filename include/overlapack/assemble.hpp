#pragma once
/// Sparse matrices from arrays of the caller: compressed rows or columns, lists of entries, and the matrices of finite elements.
#include "overlapack/export.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack {

/// A matrix of order n as the sum of small dense element matrices. Element e has the k variables variable[start[e] .. start[e + 1]).
/// `value` holds its k x k numbers by columns, one element after the other. If `symmetry` is not general, it holds the
/// k (k + 1) / 2 numbers of each lower triangle by columns.
template <class T>
struct Elements {
  Index n = 0;
  std::vector<Index> start{0};
  std::vector<Index> variable;
  std::vector<T> value;
  Symmetry symmetry = Symmetry::general;  ///< general, symmetric or hermitian
};

/// The length that `value` must have for these elements.
/// Errors  BadInput: `start` does not begin with 0 or decreases, or the symmetry is skew
template <class T>
OVERLAPACK_API Index numbers_of(const Elements<T>& elements);

/// Make the SparseMatrix, with both triangles, of compressed rows or columns.
/// Cost    O(entries + rows + cols) time; a copy of the arrays, of compressed rows two
/// Errors  BadInput: `start` does not begin with base or decreases, an index is outside, an array has another length, or a half has
///         entries on both sides of the diagonal
template <class T, class I>
OVERLAPACK_API SparseMatrix<T> assemble(const Compressed<T, I>& arrays);
/// Make the SparseMatrix of a list of entries. Entries at one position are added up, in the order of the list.
/// Cost    O(entries + rows + cols) time, two copies of the entries
/// Errors  BadInput: the lists have different lengths, or an index is outside
template <class T>
OVERLAPACK_API SparseMatrix<T> assemble(const Triplets<T>& entries);
/// Make the SparseMatrix, with both triangles, that the element matrices add up to.
/// Errors  BadInput: `start` does not begin with 0 or decreases, a variable is outside, `value` has another length, or the symmetry is
///         skew
template <class T>
OVERLAPACK_API SparseMatrix<T> assemble(const Elements<T>& elements);

}  // namespace overlapack
