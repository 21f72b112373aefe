#pragma once
#include "comm/rank.hpp"
#include "dist/grid/owned_matrix.hpp"

#include <algorithm>
#include <vector>

namespace overlapack::dense {

/// A^T on the grid with rows and columns exchanged: each process holds the transpose of its own part of A, so nothing is sent.
/// Memory  one local part of A more
template <class T>
class TransposedPart {
 public:
  TransposedPart(comm::Rank& rank, const dist::DistributedMatrix<T>& A)
      : rank_(rank),
        A_(A),
        grid_(transposed(*A.grid, rank.size())),
        part_(grid_, rank.rank(), A.cols, A.rows, dist::Content::unset) {
    move([&](Index i0, Index i1, Index j0, Index j1) {
      for (Index j = j0; j < j1; ++j)
        for (Index i = i0; i < i1; ++i) view().local(j, i) = A.local(i, j);
    });
  }
  const dist::DistributedMatrix<T>& view() const { return part_.view(); }

  /// Copy the lower triangle of the transposed matrix back into A's upper triangle; A's entries below the diagonal stay.
  void store_upper() const {
    move([&](Index i0, Index i1, Index j0, Index j1) {
      for (Index j = j0; j < j1; ++j) {
        const Index end = A_.first_row({A_.cols.global({j}, A_.me.col).value + 1});
        for (Index i = i0; i < std::min(i1, end); ++i) A_.local(i, j) = view().local(j, i);
      }
    });
  }

 private:
  static dist::ProcessGrid transposed(const dist::ProcessGrid& grid, int team_size) {
    std::vector<int> ranks;
    for (int p = 0; p < grid.rows(); ++p)
      for (int q = 0; q < grid.cols(); ++q) ranks.push_back(grid.rank_at(p, q));
    return {grid.cols(), grid.rows(), std::move(ranks), team_size};
  }

  /// Call copy(i0, i1, j0, j1) for tiles of my part, so small that those of both matrices fit into the cache.
  template <class Copy>
  void move(Copy&& copy) const {
    constexpr Index tile = 32;
    const Index m = A_.local.rows, n = A_.local.cols;
    rank_.compute({"pack", 0, 2.0 * static_cast<double>(m * n) * sizeof(T), m, n}, [&] {
      for (Index j = 0; j < n; j += tile)
        for (Index i = 0; i < m; i += tile) copy(i, std::min(i + tile, m), j, std::min(j + tile, n));
    });
  }

  comm::Rank& rank_;
  const dist::DistributedMatrix<T>& A_;
  dist::ProcessGrid grid_;
  dist::OwnedMatrix<T> part_;
};

}  // namespace overlapack::dense
