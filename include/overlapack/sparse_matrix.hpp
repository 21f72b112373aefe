#pragma once
#include "overlapack/scalar.hpp"

#include <vector>

namespace overlapack {

/// What is known of A beyond its entries. A symmetric matrix still stores both triangles.
enum class Symmetry : std::uint8_t { general, symmetric, skew, hermitian };

/// A sparse matrix by compressed columns: column j holds rows row[start[j] .. start[j+1]) with their values.
/// Rows are ascending and unique in each column once a function of overlapack has made or checked it.
template <class T>
struct SparseMatrix {
  Index rows = 0;
  Index cols = 0;
  std::vector<Index> start{0};  ///< cols + 1 offsets
  std::vector<Index> row;       ///< nnz row numbers, from 0
  std::vector<T> value;         ///< nnz values
  Symmetry symmetry = Symmetry::general;

  Index nnz() const { return static_cast<Index>(row.size()); }
};

/// A matrix as a list of entries in any order: entry k adds value[k] to A(row[k], col[k]), numbers from 0.
template <class T>
struct Triplets {
  Index rows = 0;
  Index cols = 0;
  std::vector<Index> row;
  std::vector<Index> col;
  std::vector<T> value;
  /// hermitian: a complex matrix without imaginary parts counts as Hermitian, not as symmetric; all else the entries tell. Where ranks have
  /// a list each, one of them says it for all.
  Symmetry symmetry = Symmetry::general;

  Index size() const { return static_cast<Index>(row.size()); }
  void reserve(Index entries) {
    row.reserve(static_cast<std::size_t>(entries));
    col.reserve(static_cast<std::size_t>(entries));
    value.reserve(static_cast<std::size_t>(entries));
  }
  void add(Index i, Index j, T x) {
    row.push_back(i);
    col.push_back(j);
    value.push_back(x);
  }
};

/// The entries of a matrix as a list, by columns.
template <class T>
Triplets<T> triplets_of(const SparseMatrix<T>& A) {
  Triplets<T> entries{A.rows, A.cols, A.row, {}, A.value, A.symmetry};
  for (Index j = 0; j < A.cols; ++j)
    entries.col.insert(entries.col.end(), static_cast<std::size_t>(A.start[j + 1] - A.start[j]), j);
  return entries;
}

}  // namespace overlapack
