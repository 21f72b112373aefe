#pragma once
#include "comm/rank.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <map>
#include <set>
#include <span>
#include <vector>

namespace overlapack::iterative {

using RowNumbers = std::vector<Index>;

/// A by rows, apart from its diagonal, and which rank has which row: what rank 0 knows when it distributes a matrix.
template <class T>
struct RowDistribution {
  /// Shapes  A: square; owner: a rank for each row
  RowDistribution(const SparseMatrix<T>& A, std::span<const int> owner, int ranks);

  /// Rank r's step needs these unknowns as well, beyond those that its rows name; its own ones are left out.
  void needs_also(int r, std::span<const Index> unknowns);
  /// By neighbour, then ascending: where rank r's state has the unknowns of others that it needs.
  std::map<Index, Index> halo_positions(int r) const;
  /// The unknowns that row i names, i itself left out.
  std::span<const Index> others_of(Index i) const {
    return {col.data() + start[i], static_cast<std::size_t>(start[i + 1] - start[i])};
  }
  int ranks() const { return static_cast<int>(rows_of_rank.size()); }

  RowNumbers start, col;  ///< of L + U by rows
  std::vector<T> value, diagonal;
  std::span<const int> owner;
  std::vector<RowNumbers> rows_of_rank;               ///< ascending
  RowNumbers local;                                   ///< of each row, its position among its rank's
  std::vector<std::map<int, std::set<Index>>> needs;  ///< [r][s]: unknowns of rank s that rank r needs
};

/// The entries of b that each rank's list names, to that rank.
/// Shapes  lists: by rank, on rank 0; b: on rank 0
/// Sync    collective
template <class T>
std::vector<T> scatter_entries(comm::Rank& rank, std::span<const RowNumbers> lists, const T* b);

}  // namespace overlapack::iterative
