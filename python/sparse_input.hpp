#pragma once
#include "overlapack/sparse_matrix.hpp"
#include "settings.hpp"

namespace overlapack::python {

/// A copy of what overlapack/_matrix.py hands over: compressed columns, with indices of either width.
template <class T, class I>
SparseMatrix<T> sparse_matrix(Index rows, Index cols, InputVector<I> start, InputVector<I> row,
                              InputVector<T> value) {
  SparseMatrix<T> A;
  A.rows = rows;
  A.cols = cols;
  A.start.assign(start.data(), start.data() + start.size());
  A.row.assign(row.data(), row.data() + row.size());
  A.value.assign(value.data(), value.data() + value.size());
  return A;
}

}  // namespace overlapack::python
