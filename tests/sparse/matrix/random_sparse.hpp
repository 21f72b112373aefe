#pragma once
#include "random_values.hpp"
#include "sparse/matrix/triplets.hpp"

#include <complex>
#include <vector>

namespace overlapack::test {

/// `count` entries at random places, duplicates likely where count is near rows * cols.
template <class T>
sparse::Triplets<T> random_triplets(Index rows, Index cols, Index count, Random& random) {
  sparse::Triplets<T> entries;
  entries.rows = rows;
  entries.cols = cols;
  for (Index k = 0; k < count && rows * cols > 0; ++k) {
    const auto i = static_cast<Index>(random.below(rows));
    entries.add(i, static_cast<Index>(random.below(cols)), random_value<T>(random));
  }
  return entries;
}

template <class T>
SparseMatrix<T> random_sparse(Index rows, Index cols, Index count, Random& random) {
  return sparse::compress(random_triplets<T>(rows, cols, count, random)).matrix;
}

/// The obvious twin of a sparse matrix: entry (i, j) is value[i + j * rows].
template <class T>
std::vector<T> dense(const SparseMatrix<T>& A) {
  std::vector<T> value(A.rows * A.cols);
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) value[A.row[p] + j * A.rows] += A.value[p];
  return value;
}

/// A random order of 0 .. n - 1.
inline std::vector<Index> random_permutation(Index n, Random& random) {
  std::vector<Index> p(n);
  for (Index k = 0; k < n; ++k) p[k] = k;
  for (Index k = n; k > 1; --k) std::swap(p[k - 1], p[random.below(k)]);
  return p;
}

}  // namespace overlapack::test
