#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace overlapack {

/// A^T = A, A^T = -A, or A^H = A. A SparseMatrix has both triangles. With general its entries decide; another value is a claim, and
/// BadInput if the entries contradict it. hermitian matters for a complex matrix without imaginary parts, which else counts as
/// symmetric. assemble(Compressed) takes one triangle.
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
  /// hermitian: a complex matrix without imaginary parts counts as Hermitian, not as symmetric. All else is found from the entries.
  /// With a list on each rank, it is enough if one of them has it.
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

/// What is compressed: rows (CSR) or columns (CSC).
enum class Lines : std::uint8_t { rows, columns };

/// A matrix in arrays of the caller, who keeps them. Line k, a row or a column, has the entries start[k] .. start[k + 1]. Entry p is
/// value[p], in column (row) index[p]. A line may have its entries in any order, and several at one position, which are added up.
template <class T, class I = std::int32_t>  // or std::int64_t
struct Compressed {
  Index rows = 0;
  Index cols = 0;
  std::span<const I> start = {};  ///< one more than there are lines
  std::span<const I> index = {};
  std::span<const T> value = {};
  Lines by = Lines::rows;
  /// symmetric or hermitian: the arrays have one triangle, either one. Zeros on the diagonal may be left out.
  Symmetry half = Symmetry::general;
  I base = 0;  ///< of `start` and `index`: 0, or 1 as in Fortran
};

/// Drop entries that are zero, since they would fill in as any others. Returns their number. An invalid matrix does not change;
/// later checks find it.
template <class T>
Index drop_zeros(SparseMatrix<T>& A) {
  const bool has_lists = A.cols >= 0 && static_cast<Index>(A.start.size()) == A.cols + 1 &&
                         A.value.size() == A.row.size() && std::is_sorted(A.start.begin(), A.start.end()) &&
                         A.start.front() == 0 && A.start.back() == A.nnz();
  if (!has_lists || std::find(A.value.begin(), A.value.end(), T(0)) == A.value.end()) return 0;
  Index kept = 0;
  for (Index j = 0, k = 0; j < A.cols; ++j) {
    for (const Index end = A.start[j + 1]; k < end; ++k) {
      if (A.value[k] == T(0)) continue;
      A.row[kept] = A.row[k];
      A.value[kept++] = A.value[k];
    }
    A.start[j + 1] = kept;
  }
  const Index dropped = A.nnz() - kept;
  A.row.resize(static_cast<std::size_t>(kept));
  A.value.resize(static_cast<std::size_t>(kept));
  return dropped;
}

/// The entries of a matrix as a list, by columns.
template <class T>
Triplets<T> triplets_of(const SparseMatrix<T>& A) {
  Triplets<T> entries{A.rows, A.cols, A.row, {}, A.value, A.symmetry};
  for (Index j = 0; j < A.cols; ++j)
    entries.col.insert(entries.col.end(), static_cast<std::size_t>(A.start[j + 1] - A.start[j]), j);
  return entries;
}

}  // namespace overlapack
