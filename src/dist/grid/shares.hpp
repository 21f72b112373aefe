#pragma once
#include "dist/grid/distributed_matrix.hpp"
#include "dist/grid/shared_runs.hpp"

#include <vector>

namespace overlapack::dist {

/// The rows and columns that this rank has in common with one process of another layout, by local positions on this rank.
struct Share {
  const std::vector<Run>& rows;
  const std::vector<Run>& cols;
  Index size() const { return entries(rows) * entries(cols); }
};

/// The entries that a rank has in common with each process of another layout, or of that layout's transpose. There are none if
/// the rank is not in the grid.
class Shares {
 public:
  template <class T>
  Shares(const DistributedMatrix<T>& mine, const DistributedMatrix<T>& other, int rank,
         bool is_transposed = false)
      : is_transposed_(is_transposed) {
    if (!mine.grid->holds(rank)) return;
    rows_ = shared_runs(mine.rows, mine.me.row, is_transposed ? other.cols : other.rows);
    cols_ = shared_runs(mine.cols, mine.me.col, is_transposed ? other.rows : other.cols);
  }
  /// Call with(rank, share) for each process of the other grid whose share is not empty.
  template <class F>
  void for_each_share(const ProcessGrid& other, F&& with) const {
    for (std::size_t q = 0; q < cols_.size(); ++q)
      for (std::size_t p = 0; p < rows_.size(); ++p) {
        const Share share{rows_[p], cols_[q]};
        const int row = static_cast<int>(p), col = static_cast<int>(q);
        if (share.size() > 0) with(is_transposed_ ? other.rank_at(col, row) : other.rank_at(row, col), share);
      }
  }

 private:
  bool is_transposed_;
  std::vector<std::vector<Run>> rows_, cols_;
};

/// Call part(first, length) for each contiguous part of a share, column by column.
template <class T, class F>
void for_each_column_part(const MatrixView<T>& local, const Share& share, F&& part) {
  for (const Run& cols : share.cols)
    for (Index j = 0; j < cols.length; ++j)
      for (const Run& rows : share.rows)
        part(local.column(cols.first.value + j) + rows.first.value, rows.length);
}

}  // namespace overlapack::dist
