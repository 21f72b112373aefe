#include "api/dense/layout.hpp"

#include "api/run/session.hpp"
#include "base/instantiate.hpp"
#include "dist/moves/messages/message_moves.hpp"

#include <algorithm>
#include <tuple>

namespace overlapack::api {
namespace {

using dense::Layout;

/// The position of a rank in a layout's grid; {-1, -1} outside of it.
dist::GridPosition position_in(const Layout& l, int rank) {
  if (rank >= l.grid_rows * l.grid_cols) return {-1, -1};
  return l.is_row_major ? dist::GridPosition{rank / l.grid_cols, rank % l.grid_cols}
                        : dist::GridPosition{rank % l.grid_rows, rank / l.grid_rows};
}

}  // namespace

std::string shape_text(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

Index block_of(const Layout& l) { return std::min(l.block, std::max({l.rows, l.cols, Index{1}})); }

dist::BlockCyclic rows_of(const Layout& l) {
  return {.size = l.rows, .block = block_of(l), .processes = l.grid_rows, .source = l.first_row};
}

dist::BlockCyclic cols_of(const Layout& l) {
  return {.size = l.cols, .block = block_of(l), .processes = l.grid_cols, .source = l.first_col};
}

dist::ProcessGrid grid_of(const Layout& l, int ranks) {
  const auto order = l.is_row_major ? dist::GridOrder::row_major : dist::GridOrder::column_major;
  return {l.grid_rows, l.grid_cols, order, ranks};
}

void require_layout(const Layout& l) {
  const bool has_positions =
      l.grid_rows >= 1 && l.grid_cols >= 1 && Index{l.grid_rows} * l.grid_cols <= 1 << 24;
  if (!has_positions || l.block < 1 || l.first_row < 0 || l.first_col < 0 || l.first_row >= l.grid_rows ||
      l.first_col >= l.grid_cols || l.rows < 0 || l.cols < 0)
    refuse(Status::bad_plan, "the layout has blocks of " + std::to_string(l.block) + " on a grid of " +
                                 shape_text(l.grid_rows, l.grid_cols) + " that begins at process (" +
                                 std::to_string(l.first_row) + ", " + std::to_string(l.first_col) +
                                 "); give at least 1 process and entry, and a beginning inside the grid");
}

void require_same_layout(comm::Rank& rank, const Layout& layout, ScalarType type) {
  require_layout(layout);
  struct Given {
    Layout layout;
    ScalarType type;
  };
  const Given first = broadcast_from_root(rank, Given{layout, type});
  const auto fields = [](const Layout& l) {
    return std::tuple(l.rows, l.cols, l.block, l.grid_rows, l.grid_cols, l.is_row_major, l.first_row,
                      l.first_col);
  };
  if (fields(layout) != fields(first.layout) || type != first.type)
    refuse(Status::bad_input, "rank " + std::to_string(rank.rank()) +
                                  " gives another layout or type than rank 0; give the same on all ranks");
}

template <class T>
dist::DistributedMatrix<T> part_of(const dist::ProcessGrid& grid, comm::Rank& rank, const Layout& layout,
                                   dense::View<T> mine) {
  const Index rows = local_rows(layout, rank.rank()), cols = local_cols(layout, rank.rank());
  if (mine.rows != rows || mine.cols != cols)
    refuse(Status::bad_input, "the part of rank " + std::to_string(rank.rank()) + " is " +
                                  shape_text(mine.rows, mine.cols) + ", but the layout distributes " +
                                  shape_text(rows, cols) + " to it; give that");
  if (mine.row_stride != 1)
    refuse(Status::bad_input, "the part of rank " + std::to_string(rank.rank()) + " has a row_stride of " +
                                  std::to_string(mine.row_stride) +
                                  "; give it by columns, with a row_stride of 1");
  if (rows * cols > 0 && (mine.ld < rows || mine.data == nullptr))
    refuse(Status::bad_input, "the leading dimension is " + std::to_string(mine.ld) +
                                  "; give the distance of two columns, at least " + std::to_string(rows));
  dist::DistributedMatrix<T> part{&grid, {}, rows_of(layout), cols_of(layout), {}};
  if (!grid.holds(rank.rank())) return part;
  part.me = grid.position_of(rank.rank());
  part.local = {const_cast<T*>(mine.data), rows, cols, mine.ld};  // the caller's memory is only read
  return part;
}

template <class T>
void redistribute(comm::Rank& rank, const dist::DistributedMatrix<T>& A, const dist::DistributedMatrix<T>& B,
                  const comm::InboxOptions& inbox) {
  if (A.grid->holds(rank.rank()) || B.grid->holds(rank.rank())) {
    comm::Exchange exchange(rank, comm::Lane::bulk, inbox);
    dist::MessageMoves<T>(exchange, {}).redistribute(A, B, {});
    exchange.close();
  }
  comm::collective::barrier(rank);
}

template <class T>
void require_numbers(const dist::DistributedMatrix<T>& A) {
  for (Index j = 0; j < A.local.cols; ++j)
    for (Index i = 0; i < A.local.rows; ++i)
      if (!is_finite(A.local(i, j)))
        refuse(Status::bad_input, "entry (" + std::to_string(A.rows.global({i}, A.me.row).value) + ", " +
                                      std::to_string(A.cols.global({j}, A.me.col).value) +
                                      ") is not a finite number; remove NaN and infinity");
}

#define OVERLAPACK_INSTANTIATE(T)                                                                   \
  template dist::DistributedMatrix<T> part_of(const dist::ProcessGrid&, comm::Rank&, const Layout&, \
                                              dense::View<T>);                                      \
  template void redistribute(comm::Rank&, const dist::DistributedMatrix<T>&,                        \
                             const dist::DistributedMatrix<T>&, const comm::InboxOptions&);         \
  template void require_numbers(const dist::DistributedMatrix<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api

namespace overlapack::dense {

Index local_rows(const Layout& layout, int rank) {
  api::require_layout(layout);
  const int row = api::position_in(layout, rank).row;
  return row < 0 ? 0 : api::rows_of(layout).local_size(row);
}

Index local_cols(const Layout& layout, int rank) {
  api::require_layout(layout);
  const int col = api::position_in(layout, rank).col;
  return col < 0 ? 0 : api::cols_of(layout).local_size(col);
}

}  // namespace overlapack::dense
