#pragma once
#include "base/matrix_view.hpp"
#include "dist/grid/block_cyclic.hpp"
#include "dist/grid/process_grid.hpp"

namespace overlapack::comm {
class Window;
}

namespace overlapack::dist {

/// One process's view of an m x n matrix that is distributed block-cyclically over a grid. The memory is the caller's.
/// Shapes  local: rows.local_size(me.row) x cols.local_size(me.col)
template <class T>
struct DistributedMatrix {
  const ProcessGrid* grid = nullptr;
  GridPosition me;
  BlockCyclic rows, cols;
  MatrixView<T> local;
  /// Window whose memory begins with `local`, on all ranks of the team; null: the matrix is in no window.
  comm::Window* window = nullptr;

  Index m() const { return rows.size; }
  Index n() const { return cols.size; }
  bool owns_row(Global g) const { return rows.owner(g) == me.row; }
  bool owns_col(Global g) const { return cols.owner(g) == me.col; }
  /// Local index of my first row (column) with global index >= g.
  Index first_row(Global g) const { return rows.count_before(g, me.row).value; }
  Index first_col(Global g) const { return cols.count_before(g, me.col).value; }
  /// My part of rows r0 <= i < r1 and columns c0 <= j < c1.
  MatrixView<T> part(Global r0, Global r1, Global c0, Global c1) const {
    const Index i = first_row(r0), j = first_col(c0);
    return local.block(i, j, first_row(r1) - i, first_col(c1) - j);
  }
};

}  // namespace overlapack::dist
