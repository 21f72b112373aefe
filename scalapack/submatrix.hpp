#pragma once
#include "arguments.hpp"
#include "dist/grid/distributed_matrix.hpp"

#include <vector>

namespace overlapack::scalapack {

/// `count` entries from number `first` on. If first is not the first of a block they must end inside of its block.
inline dist::BlockCyclic part_of(const dist::BlockCyclic& whole, Index first, Index count) {
  return {count, whole.block, whole.processes, whole.owner({first})};
}

/// Columns [c0, c1) of sub(X), from 0. c0 is the first of a block, or c1 in the block of c0.
/// Shapes  local: this process's part of X
template <class T>
dist::DistributedMatrix<T> view(const Submatrix& X, T* local, const dist::ProcessGrid& grid,
                                dist::GridPosition me, Index c0, Index c1) {
  const dist::BlockCyclic rows = rows_of(X.descriptor, grid), cols = cols_of(X.descriptor, grid);
  const Index first_row = X.i - 1, first_col = X.j - 1 + c0, ld = X[DescriptorEntry::lld];
  dist::DistributedMatrix<T> part{
      &grid, me, part_of(rows, first_row, X.rows), part_of(cols, first_col, c1 - c0), {}};
  T* const begin = local + rows.count_before({first_row}, me.row).value +
                   cols.count_before({first_col}, me.col).value * ld;
  part.local = {begin, part.rows.local_size(me.row), part.cols.local_size(me.col), ld};
  return part;
}

/// Store this process's pivots of sub(A) as ScaLAPACK does: for each of its rows of A the row exchanged with, from 1.
void put_pivots(const Submatrix& A, const dist::ProcessGrid& grid, dist::GridPosition me,
                std::span<const Index> pivots, int* ipiv);

/// All pivots of sub(A), rows of sub(A) from 0, on every process.
/// Sync    collective over the team
/// Cost    one reduction of n words
std::vector<Index> collect_pivots(comm::Rank& rank, const Submatrix& A, const dist::ProcessGrid& grid,
                                  dist::GridPosition me, const int* ipiv);

}  // namespace overlapack::scalapack
