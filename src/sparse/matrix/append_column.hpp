#pragma once
#include "overlapack/sparse_matrix.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace overlapack::sparse {

/// Append a column with these entries (row, value), which may be in any order, and empty the list.
template <class T>
void append_column(SparseMatrix<T>& A, std::vector<std::pair<Index, T>>& entries) {
  std::ranges::sort(entries, {}, &std::pair<Index, T>::first);
  for (const auto& [row, value] : entries) {
    A.row.push_back(row);
    A.value.push_back(value);
  }
  A.start.push_back(A.nnz());
  entries.clear();
}

}  // namespace overlapack::sparse
