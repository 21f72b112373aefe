#pragma once
#include "comm/rank.hpp"
#include "overlapack/sparse_matrix.hpp"
#include "sparse/analysis/scaling.hpp"
#include "sparse/matrix/symmetry.hpp"

#include <vector>

/// A square matrix that is distributed by rows over the ranks: entries that any ranks give are summed by the
/// owners of their rows, which compare them with the transpose and multiply with them. No rank sees the
/// values of all rows.
namespace overlapack::sparse {

/// One rank's rows of the matrix; rank r has [bounds[r], bounds[r + 1]).
template <class T>
struct RowSlab {
  std::vector<Index> bounds;  ///< ranks + 1, ascending, the same on every rank
  Index first_row = 0;
  SparseMatrix<T> rows;  ///< of this rank, canonical: row i is row first_row + i of the matrix; all n columns
};

/// Errors  BadInput if the lists differ in length, an index is outside or a value is not finite; names rank and entry
template <class T>
void require_entries(const Triplets<T>& mine, int rank);

/// The bounds that give each rank about the same number of the entries that all ranks hold together.
/// Sync    collective
/// Cost    a reduction of n counts
template <class T>
std::vector<Index> balanced_bounds(comm::Rank& rank, const Triplets<T>& mine);

/// Send each entry to the owner of its row, which sums entries at one position: in the order of the ranks
/// that gave them, and of each rank's list.
/// Shapes  mine: n x n on every rank, any entries, or none
/// Sync    collective
/// Cost    16 + sizeof(T) bytes an entry, at most p - 1 messages from each rank
/// Errors  BadInput if a sum is not finite
template <class T>
RowSlab<T> distribute_rows(comm::Rank& rank, const Triplets<T>& mine, std::vector<Index> bounds);

/// A^T, or A^H, in the same bounds.
/// Sync    collective
/// Cost    as distribute_rows
template <class T>
RowSlab<T> transposed(comm::Rank& rank, const RowSlab<T>& A, bool conjugated);

/// As detect_symmetry of a whole matrix, on every rank.
/// Sync    collective
/// Cost    as transposed
template <class T>
Symmetry detect_symmetry(comm::Rank& rank, const RowSlab<T>& A, RealValued as = RealValued::symmetric);

/// As column_sizes of a whole matrix, on every rank.
/// Sync    collective
template <class T>
ColumnSizes column_sizes(comm::Rank& rank, const RowSlab<T>& A);

/// The pattern of A on rank 0, a stand-in for A in the analysis. Its values are the moduli of A's entries, or
/// ones, with zeros on the diagonal where `sizes` has a zero.
/// Sync    collective
/// Cost    4 bytes an entry to rank 0, with moduli sizeof(Real<T>) more, and 8 n from each rank
template <class T>
SparseMatrix<Real<T>> gather_pattern(comm::Rank& rank, const RowSlab<T>& A, const ColumnSizes& sizes,
                                     bool with_moduli);

}  // namespace overlapack::sparse
