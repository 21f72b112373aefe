#pragma once
#include "comm/rank.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <span>
#include <utility>
#include <vector>

namespace overlapack::iterative {

using RowNumbers = std::vector<Index>;

/// The owner of each row if each rank gets consecutive rows, balanced by the number of entries (counted by columns, as A stores
/// them).
template <class T>
std::vector<int> consecutive_rows(const SparseMatrix<T>& A, int ranks);
/// Number of unknowns that ranks need from others, counted once for each rank that needs them. This holds for A if its pattern is
/// symmetric; else it is the number for A^T.
template <class T>
Index halo_unknowns(const SparseMatrix<T>& A, std::span<const int> owner);

/// Rank 0's data for distributing a matrix: A by rows without its diagonal, the diagonal, and the owner of each row.
template <class T>
struct RowDistribution {
  /// Shapes  A: square; owner: a rank for each row
  RowDistribution(const SparseMatrix<T>& A, std::span<const int> owner, int ranks);

  /// Add unknowns to rank r's halo, in addition to those in its rows; its own unknowns are ignored. Call sort_halos() afterwards.
  void add_halo_unknowns(int r, std::span<const Index> unknowns);
  /// Order the halos and remove duplicates, after all unknowns were added.
  void sort_halos();
  /// Position in rank r's state of an unknown of its halo, after sort_halos(); -1 if the halo does not have it.
  Index halo_position(int r, Index unknown) const;
  /// The owners s of rank r's halo, each with the unknowns that r needs from s, which are a part of halo[r].
  std::vector<std::pair<int, std::span<const Index>>> needs_by_owner(int r) const;
  /// Columns of row i's entries, without the diagonal.
  std::span<const Index> columns_of(Index i) const {
    return {col.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
  }
  int ranks() const { return static_cast<int>(rows_of_rank.size()); }
  double bytes() const;

  RowNumbers start, col;  ///< L + U by rows, the pattern
  std::vector<T> value, diagonal;
  std::span<const int> owner;
  std::vector<RowNumbers> rows_of_rank;  ///< by rank: its rows, ascending
  RowNumbers local;                      ///< by row: its position among its rank's rows
  std::vector<RowNumbers> halo;  ///< by rank: unknowns that it needs from others, by owner, then ascending
};

/// Sends each rank the entries of b at the indices in its list.
/// Shapes  lists: by rank, on rank 0; b: on rank 0
/// Sync    collective
template <class T>
std::vector<T> scatter_entries(comm::Rank& rank, std::span<const RowNumbers> lists, const T* b);

}  // namespace overlapack::iterative
