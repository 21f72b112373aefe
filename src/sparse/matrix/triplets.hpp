#pragma once
#include "overlapack/sparse_matrix.hpp"

namespace overlapack::sparse {

using overlapack::Triplets;

/// A compressed matrix and how many entries were added to an earlier one at the same position.
template <class T>
struct Summed {
  SparseMatrix<T> matrix;
  Index duplicates_summed = 0;
};

/// Compress by columns: rows ascending and unique in each column, duplicates summed in the order of the list.
/// Cost    O(entries + rows + cols) time, two copies of the entries
/// Errors  BadInput if the three lists differ in length or an index lies outside the matrix (names the entry)
template <class T>
Summed<T> compress(const Triplets<T>& entries);

}  // namespace overlapack::sparse
