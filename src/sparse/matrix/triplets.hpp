#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <vector>

namespace overlapack::sparse {

/// A matrix as a list of entries in any order: entry k adds value[k] to A(row[k], col[k]).
template <class T>
struct Triplets {
  Index rows = 0;
  Index cols = 0;
  std::vector<Index> row;
  std::vector<Index> col;
  std::vector<T> value;

  Index size() const { return static_cast<Index>(row.size()); }
  void reserve(Index entries) {
    row.reserve(entries);
    col.reserve(entries);
    value.reserve(entries);
  }
  void add(Index i, Index j, T x) {
    row.push_back(i);
    col.push_back(j);
    value.push_back(x);
  }
};

/// A compressed matrix and how many entries were added to an earlier one at the same place.
template <class T>
struct Compressed {
  SparseMatrix<T> matrix;
  Index duplicates_summed = 0;
};

/// Compress by columns: rows ascending and unique in each column, duplicates summed in the order of the list.
/// Cost    O(entries + rows + cols) time, two copies of the entries
/// Errors  BadInput if the three lists differ in length or an index lies outside the matrix (names the entry)
template <class T>
Compressed<T> compress(const Triplets<T>& entries);

}  // namespace overlapack::sparse
