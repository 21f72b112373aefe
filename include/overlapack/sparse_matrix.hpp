#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace overlapack {

/// The symmetry that a caller states: A^T = A (symmetric), A^T = -A (skew) or A^H = A (hermitian). A SparseMatrix stores both
/// triangles in every case. With general, the library finds the symmetry from the entries. Another value is a claim; if the entries
/// contradict it, the call ends with BadInput. hermitian is needed for a complex matrix whose imaginary parts are all zero, which
/// otherwise counts as symmetric. To give one triangle only, use assemble(Compressed).
enum class Symmetry : std::uint8_t { general, symmetric, skew, hermitian };

/// A sparse matrix by compressed columns (CSC). Column j holds the rows row[start[j] .. start[j+1]) with their values.
/// In a matrix that overlapack has made or checked, the rows of each column are ascending and unique.
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

/// A matrix as a list of entries in any order (COO). Entry k adds value[k] to A(row[k], col[k]); numbers begin at 0.
template <class T>
struct Triplets {
  Index rows = 0;
  Index cols = 0;
  std::vector<Index> row;
  std::vector<Index> col;
  std::vector<T> value;
  /// hermitian: a complex matrix whose imaginary parts are all zero counts as Hermitian, not as symmetric. The library finds every
  /// other symmetry from the entries. If each rank has a list, it is enough that one of the lists says hermitian.
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

/// Which lines of a matrix are compressed: its rows (CSR) or its columns (CSC).
enum class Lines : std::uint8_t { rows, columns };

/// A view of a compressed matrix in arrays of the caller, who keeps them. Line k, a row or a column as `by` says, has the entries
/// start[k] .. start[k + 1] - 1. Entry p has the value value[p], in column (CSC: row) index[p]. The entries of a line may be in any
/// order. Entries at one position are added up.
template <class T, class I = std::int32_t>  // or std::int64_t
struct Compressed {
  Index rows = 0;
  Index cols = 0;
  std::span<const I> start = {};  ///< lines + 1 offsets
  std::span<const I> index = {};
  std::span<const T> value = {};
  Lines by = Lines::rows;
  /// symmetric or hermitian: the arrays hold one triangle, lower or upper. Zeros on the diagonal may be left out.
  Symmetry half = Symmetry::general;
  I base = 0;  ///< the first number in `start` and `index`: 0, or 1 as in Fortran
};

/// Drop the stored entries that are zero, since they would cause fill like any others. Returns how many were dropped. An invalid
/// matrix is left unchanged, for later checks to refuse.
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
