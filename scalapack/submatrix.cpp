#include "submatrix.hpp"

#include "comm/collective/collective.hpp"

#include <algorithm>

namespace overlapack::scalapack {
namespace {

/// Call visit(l, global) for each of this process's pivots, where entry l of ipiv belongs to row `global` of sub(A).
template <class Visit>
void for_each_local_pivot(const Submatrix& A, const dist::ProcessGrid& grid, dist::GridPosition me,
                          Visit&& visit) {
  const dist::BlockCyclic all = rows_of(A.descriptor, grid);
  const dist::BlockCyclic rows = part_of(all, A.i - 1, std::min(A.rows, A.cols));
  const Index before = all.count_before({Index{A.i} - 1}, me.row).value;
  for (Index l = 0; l < rows.local_size(me.row); ++l) visit(before + l, rows.global({l}, me.row).value);
}

}  // namespace

void put_pivots(const Submatrix& A, const dist::ProcessGrid& grid, dist::GridPosition me,
                std::span<const Index> pivots, int* ipiv) {
  for_each_local_pivot(A, grid, me, [&](Index l, Index global) {
    ipiv[l] = static_cast<int>(pivots[static_cast<std::size_t>(global)] + A.i);
  });
}

std::vector<Index> collect_pivots(comm::Rank& rank, const Submatrix& A, const dist::ProcessGrid& grid,
                                  dist::GridPosition me, const int* ipiv) {
  std::vector<Index> pivots(static_cast<std::size_t>(std::min(A.rows, A.cols)), -1);
  for_each_local_pivot(A, grid, me, [&](Index l, Index global) {
    pivots[static_cast<std::size_t>(global)] = Index{ipiv[l]} - A.i;
  });
  comm::collective::all_reduce(rank, std::span<Index>(pivots),
                               [](Index a, Index b) { return std::max(a, b); });
  return pivots;
}

}  // namespace overlapack::scalapack
