#pragma once
#include "arguments.hpp"
#include "dist/grid/distributed_matrix.hpp"

#include <vector>

namespace overlapack::scalapack {

/// The distribution of `count` rows or columns from number `first` on. If `first` does not begin a block, they must all be in its block.
inline dist::BlockCyclic part_of(const dist::BlockCyclic& whole, Index first, Index count) {
  return {count, whole.block, whole.processes, whole.owner({first})};
}

/// A view of the columns c0 to c1 - 1 of sub(X), numbered from 0. Either c0 begins a block, or all columns are in the block of c0.
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

/// Collect all pivots of sub(A) on every process, as rows of sub(A) from 0.
/// Sync    collective over the team
/// Cost    one reduction of n words
std::vector<Index> collect_pivots(comm::Rank& rank, const Submatrix& A, const dist::ProcessGrid& grid,
                                  dist::GridPosition me, const int* ipiv);

}  // namespace overlapack::scalapack
