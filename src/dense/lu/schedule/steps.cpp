#include "dense/lu/schedule/steps.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"
#include "dense/lu/panel/columns.hpp"
#include "dense/lu/panel/tournament.hpp"
#include "dense/lu/panel/wide_panel.hpp"
#include "dense/message_kinds.hpp"
#include "dense/packed.hpp"
#include "dense/tiled_product.hpp"
#include "kernels/product/triangular.hpp"

#include <algorithm>

namespace overlapack::dense {

template <class T>
Steps<T>::Steps(dist::Moves<T>& moves, const dist::DistributedMatrix<T>& A, std::span<Index> pivots,
                const LuPlan& plan)
    : moves_(moves),
      A_(A),
      pivots_(pivots),
      plan_(plan),
      row_(A.grid->row_group(A.me)),
      column_(A.grid->column_group(A.me)),
      panels_{A.m(), A.n(), plan.panel_columns(A.cols.block)},
      is_phantom_(rank().capabilities().is_phantom),
      tile_(is_product_tiled(rank(), A.grid->size()) ? plan.tile : 0) {}

template <class T>
void Steps<T>::factor_panel(Index k) {
  if (plan_.on_progress) plan_.on_progress(panels_.share_before(k));
  ++result_.panels;
  if (plan_.pivot_search == PivotSearch::columns) {
    if (!moves_.is_lockstep() && !owns_panel(k)) return;
    PanelFactor<T> factor = factor_columns(moves_, A_, first_of(k), panels_.width_of(k), k);
    if (owns_panel(k) || is_wide(k)) factors_[k] = std::move(factor);
    result_.wide_panels += is_wide(k) ? 1 : 0;
    return;
  }
  if (plan_.pivot_search == PivotSearch::tournament && column_.size() > 1) {
    if (!owns_panel(k)) return take_part_in_syncs_of_tournament(moves_, column_);
    PanelFactor<T> factor =
        factor_by_tournament(moves_, A_, first_of(k), panels_.width_of(k), {LuMove::pivots, k});
    if (!is_phantom_) factors_[k] = std::move(factor);
    return;
  }
  if (!owns_panel(k))
    return moves_.take_part_in_syncs(dist::Moves<T>::Verb::pivots, column_, panels_.width_of(k));
  if (is_phantom_) return charge_panel<T>(moves_, A_, first_of(k), panels_.width_of(k), {LuMove::pivots, k});
  factors_[k] =
      dense::factor_panel(moves_, A_, first_of(k), panels_.width_of(k), plan_.panel, {LuMove::pivots, k});
}

template <class T>
void Steps<T>::start_panel(Index k, Index rows_below) {
  if (row_.size() == 1 || is_wide(k)) return;
  const Index width = panels_.width_of(k);
  const dist::LocalBlock L{A_.first_row({end_of(k)}), A_.cols.local({first_of(k)}).value, rows_below, width,
                           padded_ld(rows_below)};
  const auto write_head = [&](std::byte* to) { write_panel_head<T>(factors_.at(k), width, to); };
  broadcasts_[k] =
      moves_.start_block(row_, column_of(k), {LuMove::panel, k}, {panel_head_bytes<T>(width), write_head}, L,
                         owns_panel(k) ? panel_below(k, rows_below) : MatrixView<const T>{});
}

template <class T>
MatrixView<const T> Steps<T>::panel_below(Index k, Index rows) const {
  const MatrixView<const T> L = A_.part({end_of(k)}, {A_.m()}, {first_of(k)}, {end_of(k)});
  return L.block(0, 0, rows, L.cols);
}

template <class T>
Panel<T> Steps<T>::finish_panel(Index k, Index rows_below) {
  if (is_wide(k)) {
    Panel<T> panel =
        gather_panel<T>(moves_, A_, k, first_of(k), panels_.width_of(k), factors_.extract(k).mapped());
    if (!pivots_.empty()) store_pivots(panel);
    return panel;
  }
  dist::SentBlock<T> sent;
  if (row_.size() > 1) sent = broadcasts_.extract(k).mapped()->finish();
  const Index width = panels_.width_of(k);
  if (is_phantom_) {
    Panel<T> panel =
        phantom_panel<T>(k, first_of(k), width, rows_below, phantom_pivots(first_of(k), width, A_.m()));
    if (!pivots_.empty()) store_pivots(panel);
    return panel;
  }
  Panel<T> panel = owns_panel(k) ? panel_in_place<T>(k, first_of(k), std::move(factors_.extract(k).mapped()),
                                                     panel_below(k, rows_below))
                                 : received_panel<T>(k, first_of(k), width, std::move(sent));
  store_pivots(panel);
  return panel;
}

template <class T>
void Steps<T>::store_pivots(const Panel<T>& panel) {
  std::ranges::copy(panel.pivots, pivots_.begin() + panel.first);
  if (result_.info == 0 && panel.zero_pivot >= 0) result_.info = panel.zero_pivot + 1;
}

template <class T>
bool Steps<T>::has_arrived(Index k) const {
  if (is_wide(k)) return false;
  const auto found = broadcasts_.find(k);
  return found == broadcasts_.end() || found->second->has_arrived();
}

template <class T>
RowPanel<T> Steps<T>::start_interchange(const Panel<T>& panel, ColumnRange columns) {
  if (columns.begin >= columns.end) return {columns, nullptr, {}, {}};
  auto started = moves_.start_interchange(rows_of(panel.moves, columns),
                                          {LuMove::interchange, message_number(panel, columns)});
  count_interchange(started->kind());
  return {columns, std::move(started), {}, {}};
}

template <class T>
void Steps<T>::interchange(const Panel<T>& panel, ColumnRange columns, MatrixView<T> also) {
  const auto started = moves_.start_direct_interchange(rows_of(panel.moves, columns), also,
                                                       {LuMove::interchange, message_number(panel, columns)});
  count_interchange(started->kind());
  started->finish();
}

template <class T>
void Steps<T>::count_interchange(dist::SwapKind kind) {
  if (kind == dist::SwapKind::binary_exchange) ++result_.binary_exchanges;
  if (kind == dist::SwapKind::spread_roll) ++result_.spread_rolls;
  if (kind == dist::SwapKind::direct) ++result_.direct_interchanges;
  if (kind == dist::SwapKind::pairwise) ++result_.pairwise_interchanges;
  if (kind == dist::SwapKind::shared) ++result_.shared_interchanges;
}

template <class T>
void Steps<T>::finish_rows(const Panel<T>& panel, RowPanel<T>& rows) {
  if (!rows.interchange) return;
  if (is_wide(panel.number)) return finish_wide_rows(panel, rows);
  const MatrixView<T> travelled = rows.interchange->finish();
  const bool is_owner = A_.owns_row({panel.first});
  const bool is_everywhere = !dist::leaves_rows_with_owner(rows.interchange->kind()) || column_.size() == 1;
  const MatrixView<T> mine = is_owner
                                 ? A_.part({panel.first}, {panel.end()}, rows.columns.begin, rows.columns.end)
                                 : MatrixView<T>{};
  const MatrixView<T> U = is_everywhere ? travelled : mine;
  const Index columns = A_.first_col(rows.columns.end) - A_.first_col(rows.columns.begin);
  if (columns == 0) {
    if (!is_everywhere) moves_.take_part_in_syncs(dist::Moves<T>::Verb::broadcast, column_);
    return;
  }
  // U = L11^{-1} A(k, columns)
  if (is_owner || is_everywhere) solve_rows(panel, U);
  if (is_everywhere) {
    if (is_owner && U.data != mine.data && !is_phantom_) copy_into<T>(U, mine);
    rows.U = U;
    return;
  }
  const comm::Key key{LuMove::upper, message_number(panel, rows.columns)};
  const dist::LocalBlock block{A_.rows.local({panel.first}).value, A_.first_col(rows.columns.begin),
                               panel.width, columns, panel.width};
  const auto without_head = [](std::byte*) {};
  dist::SentBlock<T> sent =
      moves_.start_block(column_, row_of(panel.number), key, {0, without_head}, block, U)->finish();
  rows.U = sent.block;
  rows.body = std::move(sent.body);
}

/// For a panel of several blocks: every process of the process column gathers all rows of the block row, solves, and stores its own.
template <class T>
void Steps<T>::finish_wide_rows(const Panel<T>& panel, RowPanel<T>& rows) {
  rows.interchange->finish();
  std::vector<T> B = gather_panel_rows<T>(moves_, A_, panel, rows.columns,
                                          {LuMove::upper, message_number(panel, rows.columns)});
  const Index columns = A_.first_col(rows.columns.end) - A_.first_col(rows.columns.begin);
  const MatrixView<T> U{B.data(), panel.width, columns, panel.width};
  if (columns > 0) solve_rows(panel, U);
  if (!is_phantom_) write_block_row<T>(A_, panel, rows.columns, U);
  rows.U = U;
  rows.body = comm::Body::adopt(std::move(B));  // the memory moves with it: U stays valid
}

/// U <- L11^{-1} U
template <class T>
void Steps<T>::solve_rows(const Panel<T>& panel, MatrixView<T> U) {
  const auto cost = kernels::triangular_cost<T>(U.rows, U.cols);
  rank().compute({"trsm", cost.flops, cost.bytes, U.rows, U.cols, U.rows},
                 [&] { kernels::solve_left_lower<T>(panel.top, true, U); });
}

template <class T>
void Steps<T>::update(const Panel<T>& panel, const RowPanel<T>& rows) {
  subtract(panel.below, rows.U, A_.part({panel.end()}, {A_.m()}, rows.columns.begin, rows.columns.end));
}

template <class T>
void Steps<T>::update(const Panel<T>& panel, const RowPanel<T>& rows, Index pieces,
                      comm::FunctionRef<void()> look) {
  const MatrixView<T> C = A_.part({panel.end()}, {A_.m()}, rows.columns.begin, rows.columns.end);
  for (Index p = 0; p < pieces; ++p) {
    look();
    const Index begin = C.cols * p / pieces, columns = C.cols * (p + 1) / pieces - begin;
    subtract(panel.below, rows.U.block(0, begin, rows.U.rows, columns), C.block(0, begin, C.rows, columns));
  }
}

template <class T>
void Steps<T>::apply(const Panel<T>& panel, ColumnRange columns) {
  RowPanel<T> rows = start_interchange(panel, columns);
  finish_rows(panel, rows);
  update(panel, rows);
}

template <class T>
void Steps<T>::subtract(MatrixView<const T> L, MatrixView<const T> U, MatrixView<T> C) {
  add_product<T>(rank(), tile_, kernels::Op::none, T(-1), L, U, C);
}

/// In each block column, apply the interchanges of all later panels as one permutation, so that each row moves once.
template <class T>
void Steps<T>::exchange_left() {
  moves_.wait_for_readers(row_);
  for (Index k = 0; k + 1 < panels(); ++k) {
    if (!owns_panel(k)) {
      moves_.take_part_in_syncs(dist::Moves<T>::Verb::interchange, column_);
      continue;
    }
    const dist::RowMoves moves =
        dist::row_moves(end_of(k), pivots_.subspan(static_cast<std::size_t>(end_of(k))));
    moves_.start_direct_interchange(rows_of(moves, block(k)), {}, {LuMove::left, k})->finish();
  }
}

template <class T>
void Steps<T>::exchange_before(const Panel<T>& panel) {
  const ColumnRange columns = columns_before(panel.number);
  if (!plan_.exchange_left || !plan_.is_pairwise() || panel.number == 0) return;
  moves_.start_interchange(rows_of(panel.moves, columns), {LuMove::left, panel.number})->finish();
}

template <class T>
FactorResult Steps<T>::finish() {
  if (plan_.exchange_left && !plan_.is_pairwise()) exchange_left();
  return result_;
}

OVERLAPACK_INSTANTIATE_CLASS(Steps);

}  // namespace overlapack::dense
