#pragma once
#include "comm/rank.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <span>
#include <utility>
#include <vector>

namespace overlapack::iterative {

using RowNumbers = std::vector<Index>;

/// A rank for each row: consecutive rows, with as many entries (of columns, in A's order) on each rank as can be.
template <class T>
std::vector<int> consecutive_rows(const SparseMatrix<T>& A, int ranks);
/// Number of unknowns that ranks need of others, each counted once a rank, where A's pattern is symmetric; else of A^T.
template <class T>
Index halo_unknowns(const SparseMatrix<T>& A, std::span<const int> owner);

/// Rank 0's data for distributing a matrix: A by rows without its diagonal, the diagonal, and the owner of each row.
template <class T>
struct RowDistribution {
  /// Shapes  A: square; owner: a rank for each row
  RowDistribution(const SparseMatrix<T>& A, std::span<const int> owner, int ranks);

  /// Add unknowns to rank r's halo, besides those in its rows; its own are ignored. Then sort_halos() is to be called.
  void add_halo_unknowns(int r, std::span<const Index> unknowns);
  /// Order the halos, each unknown once. Once all needs are there.
  void sort_halos();
  /// Position in rank r's state of an unknown of its halo, once ordered; -1: it is not there.
  Index halo_position(int r, Index unknown) const;
  /// What rank r needs of rank s: by s, a part of halo[r].
  std::vector<std::pair<int, std::span<const Index>>> needs_by_owner(int r) const;
  /// Columns of row i's entries, without the diagonal.
  std::span<const Index> columns_of(Index i) const {
    return {col.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
  }
  int ranks() const { return static_cast<int>(rows_of_rank.size()); }
  double bytes() const;

  RowNumbers start, col;  ///< of L + U by rows
  std::vector<T> value, diagonal;
  std::span<const int> owner;
  std::vector<RowNumbers> rows_of_rank;  ///< ascending
  RowNumbers local;                      ///< of each row, its position among its rank's
  std::vector<RowNumbers> halo;  ///< unknowns that a rank needs of others; ordered: by owner, then ascending
};

/// Sends each rank the entries of b at the indices in its list.
/// Shapes  lists: by rank, on rank 0; b: on rank 0
/// Sync    collective
template <class T>
std::vector<T> scatter_entries(comm::Rank& rank, std::span<const RowNumbers> lists, const T* b);

}  // namespace overlapack::iterative
