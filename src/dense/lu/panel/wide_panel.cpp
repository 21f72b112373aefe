#include "dense/lu/panel/wide_panel.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"
#include "dense/lu/panel/phantom_panel.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"

namespace overlapack::dense {
namespace {

using dist::BlockCyclic;

/// The range [first, end) of row or column numbers of a distributed matrix.
struct Section {
  const BlockCyclic& distributed;
  Index first, end;

  Index count(int process) const { return position(first, end, process); }
  /// Offset of index i in its owner's part of the range.
  Index position_of(Index i) const { return position(first, i, distributed.owner({i})); }

 private:
  Index position(Index from, Index to, int process) const {
    return distributed.count_before({to}, process).value - distributed.count_before({from}, process).value;
  }
};

/// All-gather a section over a group, with `across` scalars for each of its indices; returns one body from each process.
template <class T>
std::vector<comm::Body> all_gather_sections(dist::Moves<T>& moves, const comm::collective::Group& group,
                                            const Section& section, Index across, const comm::Key& key,
                                            MatrixView<const T> mine) {
  std::vector<std::size_t> bytes(static_cast<std::size_t>(group.size()));
  for (int position = 0; position < group.size(); ++position)
    bytes[static_cast<std::size_t>(position)] =
        static_cast<std::size_t>(section.count(position) * across) * sizeof(T);
  comm::Body body = comm::pack_body(moves.rank(), bytes[static_cast<std::size_t>(group.me)],
                                    [&] { return packed_body<T>(mine); });
  return moves.all_gather(group, key, bytes, std::move(body));
}

/// All rows of the section, gathered from my process column. mine: those that this process owns.
template <class T>
std::vector<T> gather_from_column(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A,
                                  const Section& rows, const comm::Key& key, MatrixView<const T> mine) {
  const auto parts = all_gather_sections(moves, A.grid->column_group(A.me), rows, mine.cols, key, mine);
  if (moves.rank().capabilities().is_phantom) return {};
  const Index count = rows.end - rows.first;
  std::vector<T> all(static_cast<std::size_t>(count * mine.cols));
  for (Index i = 0; i < count; ++i) {
    const int owner = A.rows.owner({rows.first + i});
    const MatrixView<const T> part =
        packed_matrix<T>(parts[static_cast<std::size_t>(owner)], rows.count(owner), mine.cols);
    for (Index j = 0; j < mine.cols; ++j)
      all[static_cast<std::size_t>(i + j * count)] = part(rows.position_of(rows.first + i), j);
  }
  return all;
}

/// All columns of the section, gathered from my process row, with the leading dimension padded_ld(mine.rows). mine: those that this
/// process owns.
template <class T>
std::vector<T> gather_from_row(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A,
                               const Section& columns, const comm::Key& key, MatrixView<const T> mine) {
  const auto parts = all_gather_sections(moves, A.grid->row_group(A.me), columns, mine.rows, key, mine);
  if (moves.rank().capabilities().is_phantom) return {};
  const Index ld = padded_ld(mine.rows);
  std::vector<T> all(static_cast<std::size_t>(ld * (columns.end - columns.first)));
  for (Index j = columns.first; j < columns.end; ++j) {
    const int owner = A.cols.owner({j});
    const MatrixView<const T> part =
        packed_matrix<T>(parts[static_cast<std::size_t>(owner)], mine.rows, columns.count(owner));
    std::copy_n(part.column(columns.position_of(j)), mine.rows, all.data() + (j - columns.first) * ld);
  }
  return all;
}

}  // namespace

template <class T>
Panel<T> gather_panel(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, Index number, Index first,
                      Index width, PanelFactor<T> factor) {
  const Index end = first + width, count = A.local.rows - A.first_row({first}),
              above = A.first_row({end}) - A.first_row({first}), ld = padded_ld(count);
  std::vector<T> rows = gather_from_row<T>(moves, A, {A.cols, first, end}, {LuMove::panel, number},
                                           A.part({first}, {A.m()}, {first}, {end}));
  factor.top = gather_from_column<T>(moves, A, {A.rows, first, end}, {LuMove::panel, number, 1},
                                     {rows.data(), above, width, ld});
  if (moves.rank().capabilities().is_phantom)
    return phantom_panel<T>(number, first, width, count - above, phantom_pivots(first, width, A.m()));
  Panel<T> panel =
      panel_in_place<T>(number, first, std::move(factor), {rows.data() + above, count - above, width, ld});
  panel.below_body = comm::Body::adopt(std::move(rows));  // the memory moves with it: `below` stays valid
  return panel;
}

template <class T>
std::vector<T> gather_panel_rows(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A,
                                 const Panel<T>& panel, ColumnRange columns, const comm::Key& key) {
  return gather_from_column<T>(moves, A, {A.rows, panel.first, panel.end()}, key,
                               A.part({panel.first}, {panel.end()}, columns.begin, columns.end));
}

template <class T>
void write_block_row(const dist::DistributedMatrix<T>& A, const Panel<T>& panel, ColumnRange columns,
                     MatrixView<const T> U) {
  const MatrixView<T> mine = A.part({panel.first}, {panel.end()}, columns.begin, columns.end);
  const Index begin = A.first_row({panel.first});
  for (Index i = 0; i < mine.rows; ++i) {
    const Index row = A.rows.global({begin + i}, A.me.row).value - panel.first;
    for (Index j = 0; j < mine.cols; ++j) mine(i, j) = U(row, j);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                                         \
  template Panel<T> gather_panel(dist::Moves<T>&, const dist::DistributedMatrix<T>&, Index, Index, Index, \
                                 PanelFactor<T>);                                                         \
  template std::vector<T> gather_panel_rows(dist::Moves<T>&, const dist::DistributedMatrix<T>&,           \
                                            const Panel<T>&, ColumnRange, const comm::Key&);              \
  template void write_block_row(const dist::DistributedMatrix<T>&, const Panel<T>&, ColumnRange,          \
                                MatrixView<const T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
