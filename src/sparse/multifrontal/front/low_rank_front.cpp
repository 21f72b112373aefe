#include "sparse/multifrontal/front/low_rank_front.hpp"

#include "base/copy_into.hpp"
#include "base/instantiate.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/update/swap.hpp"
#include "sparse/multifrontal/front/compress_contribution.hpp"
#include "sparse/multifrontal/front/front_steps.hpp"
#include "sparse/multifrontal/front/pivot_order.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::sparse::multifrontal {

bool is_low_rank(const LowRankPlan& plan, const Structure& structure, Index f) {
  return plan.is_used && structure.layout(f) != Layout::grid && is_large_enough(plan, structure.tree, f);
}

template <class T>
LowRankFront<T>::LowRankFront(const Structure& structure, const FactorPlan& plan, const PivotTest<T>& test,
                              double largest, FrontSpace<T>& space, Ledger& ledger)
    : structure_(structure),
      plan_(plan),
      low_rank_(plan.fronts.low_rank),
      test_(test),
      largest_(largest),
      space_(space),
      ledger_(ledger) {}

/// docs/low-rank.md, "One front".
template <class T>
Elimination LowRankFront<T>::eliminate(comm::Rank* helpers, Front<T>& front) {
  begin(helpers, front);
  while (has_panels_left()) {
    next_panel();
    update_summed();
  }
  return end();
}

template <class T>
void LowRankFront<T>::begin(comm::Rank* helpers, Front<T>& front, std::span<const Index> cuts) {
  front_ = &front;
  helpers_ = helpers;
  blocks_ = row_blocks(structure_, low_rank_, front.number, front.summed, cuts);
  block_ = 0;
  done_ = {};
  gives_up_ = false;
}

template <class T>
const LowRankPanel<T>& LowRankFront<T>::next_panel() {
  panel_ = {.first = done_.eliminated, .width = blocks_.bounds[++block_] - done_.eliminated};
  factorize(panel_, done_);  // [U_kk^T; U^T] L_kk^T = panel k, symmetric: [L_kk; L] D L_kk^T = panel k
  solve(panel_);             // L <- A U_kk^{-1}
  compress(panel_);          // L, U^T <- X V, block by block
  return panel_;
}

template <class T>
Elimination LowRankFront<T>::end() {
  front_->eliminated = done_.eliminated;
  keep_delayed();
  return done_;
}

/// LU: number of row blocks whose rows of L are on this rank: all, or without those of the border if it is in
/// strips.
template <class T>
Index LowRankFront<T>::blocks_beside() const {
  return structure_.is_shared(front_->number) ? blocks_.summed : blocks_.count();
}

// ---- Factorise

/// Pivots among the variables of the panel, tested against all rows behind them.
template <class T>
void LowRankFront<T>::factorize(Panel& panel, Elimination& done) {
  const MatrixView<T> P = front_->panel();
  const Index k = panel.first, w = panel.width;
  const MatrixView<T> Q = P.block(k, k, P.rows - k, w);
  identity(space_.row_order, w);
  identity(space_.col_order, w);
  const auto steps = panel_steps(structure_, test_, *front_, k, w, space_.row_order, space_.col_order);
  take_steps(*steps, panel);
  panel.pivots = steps->eliminated();
  done.eliminated += panel.pivots;
  done.two_by_two += steps->two_by_two();
  done.negative += steps->negative();
  done.add(steps->mended());
  if (structure_.kind == FactorKind::cholesky && panel.pivots < w)
    refuse_pivot(structure_, *front_, done.eliminated, ", or lower compression_tolerance");
  panel.square = copy_among_factors(Q.block(0, 0, panel.pivots, panel.pivots));
  exchange(panel);
}

/// Eliminates what the panel has. With helpers in short steps, and the tiles between them are slices that
/// others may take.
template <class T>
void LowRankFront<T>::take_steps(kernels::PanelSteps<T>& steps, const Panel& panel) {
  const Index rows = front_->order() - panel.first;
  const double flops = panel_flops<T>(structure_.kind, rows, panel.width);
  tally_.flops += flops;
  if (helpers_ == nullptr) {
    while (steps.eliminate_next(panel.width) > 0)
      for (const kernels::Tile& tile : steps.tiles_to_update(plan_.slice_flops)) steps.update(tile);
    return;
  }
  for (Index gained = 1; gained > 0;) {
    const Index k = steps.eliminated(), width = std::min(least_step, panel.width - k);
    helpers_->compute({"panel", panel_flops<T>(structure_.kind, rows - k, width), 0, rows - k, width},
                      [&] { gained = steps.eliminate_next(least_step); });
    helpers_->poll();
    const std::vector<kernels::Tile> tiles =
        steps.tiles_to_update(low_rank_.panel_slice_share * plan_.slice_flops);
    double all = 0;
    for (const kernels::Tile& tile : tiles) all += tile.template flops<T>(gained);
    if (gained > 0)
      in_slices(helpers_, {"update", all, 0, rows, panel.width, gained}, tiles.size(),
                [&](std::size_t i) { steps.update(tiles[i]); });
  }
}

/// Applies the exchanges among the panel's variables to the names and to the front behind the panel. Blocks
/// of earlier panels stay as they are: the solves make and undo the exchange.
template <class T>
void LowRankFront<T>::exchange(Panel& panel) {
  const Index k = panel.first, w = panel.width, s = front_->summed;
  const auto is_identity = [&](const std::vector<std::int32_t>& order) {
    return std::ranges::is_sorted(order);
  };
  if (structure_.kind == FactorKind::cholesky) return;
  if (is_identity(space_.row_order) && is_identity(space_.col_order)) return;
  panel.row_order = copy_among_factors(std::span<const std::int32_t>(space_.row_order));
  apply_order(space_.row_order, front_->row_name + k, space_.names);
  if (structure_.is_symmetric()) return;
  panel.col_order = copy_among_factors(std::span<const std::int32_t>(space_.col_order));
  apply_order(space_.col_order, front_->col_name + k, space_.names);
  space_.columns.resize(static_cast<std::size_t>(std::max(front_->border, w)));
  kernels::permute_rows<T>(front_->panel().block(k, panel.end(), w, s - panel.end()), space_.col_order,
                           space_.columns);
  if (structure_.is_shared(front_->number)) return;  // the strips have L21, and exchange its columns
  kernels::permute_columns<T>(front_->L21().block(0, k, front_->border, w), space_.col_order, space_.columns);
}

// ---- Solve

/// LU: L of the rows behind the panel. Fully summed rows stand as columns of the panel's array, beside the
/// pivots; border rows stand in L21.
template <class T>
void LowRankFront<T>::solve(Panel& panel) {
  if (structure_.is_symmetric() || panel.pivots == 0) return;
  const Index k = panel.first, e = panel.pivots, s = front_->summed;
  const MatrixView<const T> U = panel.square;
  const auto first = blocks_.first_from(panel.end());
  const auto count = static_cast<std::size_t>(blocks_beside() - first);
  const Index all_rows = blocks_.bounds[blocks_beside()] - panel.end();
  const kernels::Cost cost = kernels::triangular_cost<T>(e, all_rows);
  tally_.flops += cost.flops;
  in_slices(helpers_, {"lower", cost.flops, cost.bytes, all_rows, e}, count, [&](std::size_t i) {
    const Index top = blocks_.bounds[first + static_cast<Index>(i)],
                rows = blocks_.bounds[first + static_cast<Index>(i) + 1] - top;
    if (top < s)
      kernels::solve_left_lower<T>(U, true, front_->panel().block(k, top, e, rows));
    else
      kernels::solve_right_lower_trans<T>(U, true, false, front_->L21().block(top - s, k, rows, e));
  });
}

// ---- Compress

template <class T>
std::vector<Candidate<T>> LowRankFront<T>::candidates(const Panel& panel) const {
  const Index k = panel.first, e = panel.pivots, s = front_->summed;
  const double unit = structure_.kind == FactorKind::cholesky ? low_rank_.tolerance * std::sqrt(largest_)
                                                              : low_rank_.tolerance;
  const MatrixView<T> P = front_->panel();
  std::vector<Candidate<T>> all;
  const Index end_beside = structure_.is_symmetric() ? 0 : blocks_.bounds[blocks_beside()];
  const auto add = [&](Index top, Index rows, bool is_tried) {
    all.push_back({.top = top, .numbers = P.block(top, k, rows, e), .limit = unit, .is_tried = is_tried});
    if (top >= end_beside) return;
    const bool is_summed = top < s;
    all.push_back({.top = top,
                   .numbers = is_summed ? P.block(k, top, e, rows) : front_->L21().block(top - s, k, rows, e),
                   .is_beside = true,
                   .is_transposed = is_summed,
                   .limit = low_rank_.tolerance * largest_,
                   .is_tried = is_tried});
  };
  if (panel.behind() < panel.end()) add(panel.behind(), panel.end() - panel.behind(), false);
  for (Index b = blocks_.first_from(panel.end()); b < blocks_.count(); ++b)
    add(blocks_.bounds[b], blocks_.bounds[b + 1] - blocks_.bounds[b], !gives_up_);
  return all;
}

template <class T>
void LowRankFront<T>::compress(Panel& panel) {
  if (panel.pivots == 0) return;
  std::vector<Candidate<T>> all = candidates(panel);
  if (!compress_candidates(helpers_, low_rank_, all, omega_, tally_)) gives_up_ = true;
  for (const Candidate<T>& candidate : all)
    (candidate.is_beside ? panel.beside : panel.below).push_back(store_compressed(candidate, ledger_));
}

// ---- Update

template <class T>
kernels::Middle<T> LowRankFront<T>::middle(const Panel& panel) const {
  if (structure_.kind != FactorKind::ldlt) return {};
  return {structure_.hermitian, front_->d + panel.first, front_->d_off + panel.first};
}

/// A(fully summed) -= L U = X_L (V_L V_U^T) X_U^T, in all fully summed rows and columns behind the panel.
/// Columns that the panel tried and left without a pivot are up to date already.
template <class T>
void LowRankFront<T>::subtract_from_summed(const Panel& panel) {
  const Index s = front_->summed;
  const MatrixView<T> P = front_->panel(), L21 = front_->L21();
  std::vector<Product<T>> products;
  for (const Block& column : structure_.is_symmetric() ? panel.below : panel.beside) {
    if (column.top < panel.end() || column.top >= s) continue;
    for (const Block& row : panel.below) {
      if (structure_.is_symmetric() && row.top < column.top) continue;
      products.push_back({row.of, column.of, P.block(row.top, column.top, row.of.rows(), column.of.rows()),
                          structure_.is_symmetric() && row.top == column.top});
    }
  }
  for (const Block& column : panel.below) {
    if (structure_.is_symmetric() || column.top >= s) break;
    for (const Block& row : panel.beside)
      if (row.top >= s)
        products.push_back(
            {row.of, column.of, L21.block(row.top - s, column.top, row.of.rows(), column.of.rows())});
  }
  double flops = 0;
  for (const Product<T>& product : products) flops += product.flops();
  tally_.flops += flops;
  const kernels::Middle<T> D = middle(panel);
  in_slices(helpers_, {"products", flops, 0, front_->order() - panel.end()}, products.size(),
            [&](std::size_t i) {
              kernels::LowRankSpace<T> space;
              products[i].subtract(D, structure_.is_conjugated(), space);
            });
}

template <class T>
void LowRankFront<T>::update_summed() {
  if (panel_.pivots > 0) subtract_from_summed(panel_);
  if (panel_.pivots > 0 || panel_.row_order != nullptr) front_->low_rank->panels.push_back(std::move(panel_));
}

/// Each tile of C gets the products of all panels.
template <class T>
void LowRankFront<T>::update(comm::Rank* helpers, Front<T>& front) {
  front_ = &front;
  helpers_ = helpers;
  const auto& panels = front.low_rank->panels;
  const StaircaseView<T> C = front.contribution();
  const std::vector<kernels::Tile> tiles = block_tiles(blocks_, C.width, structure_.is_symmetric());
  double flops = 0;
  for (const Panel& panel : panels)
    for (const kernels::Tile& tile : tiles) flops += product_of(panel, tile, C).flops();
  tally_.flops += flops;
  in_slices(helpers_, {"products", flops, 0, front.border}, tiles.size(), [&](std::size_t i) {
    kernels::LowRankSpace<T> space;
    const MatrixView<T> block = tiles[i].block_in(C);
    for (Index j = 0; j < block.cols; ++j) std::fill_n(block.column(j), block.rows, T(0));
    for (const Panel& panel : panels)
      if (panel.pivots > 0)
        product_of(panel, tiles[i], C).subtract(middle(panel), structure_.is_conjugated(), space);
  });
}

/// The product of a panel that is subtracted from a tile of C. The tile's rows are in one block of the panel,
/// as are its columns.
template <class T>
Product<T> LowRankFront<T>::product_of(const Panel& panel, const kernels::Tile& tile,
                                       const StaircaseView<T>& C) const {
  const Index s = front_->summed;
  const auto part = [&](const std::vector<Block>& blocks, Index first, Index count) {
    const auto block = std::ranges::upper_bound(blocks, s + first, {}, &Block::top) - 1;
    return kernels::rows_of(block->of, s + first - block->top, count);
  };
  if (panel.pivots == 0) return {};
  return {part(structure_.is_symmetric() ? panel.below : panel.beside, tile.top, tile.rows),
          part(panel.below, tile.left, tile.cols), tile.block_in(C), tile.is_diagonal};
}

/// C <- X V, tile by tile, if that pays. C is in the units of the matrix, so that a tile's error is one of
/// B's entries.
template <class T>
void LowRankFront<T>::compress_block(comm::Rank* helpers, Front<T>& front) {
  tally_.flops += compress_contribution(helpers, low_rank_, structure_.is_symmetric(), blocks_,
                                        low_rank_.tolerance * largest_, omega_, ledger_, front);
  const auto& tiles = front.low_rank->contribution;
  tally_.contributions_compressed += !tiles.empty();
  tally_.contributions_mixed +=
      std::ranges::any_of(tiles, [](const auto& tile) { return tile.of.X_single.cols > 0; });
}

// ---- What stays

/// Copies the columns of panel and L21 that found no pivot, in full, for the parent.
template <class T>
void LowRankFront<T>::keep_delayed() {
  const Index e = front_->eliminated, d = front_->delayed(), m = front_->border;
  if (d == 0) return;
  front_->low_rank->delayed_panel = copy_among_factors(front_->panel().block(e, e, d + m, d));
  if (front_->lower_data != nullptr)
    front_->low_rank->delayed_lower = copy_among_factors(front_->L21().block(0, e, m, d));
}

template <class T>
template <class U>
U* LowRankFront<T>::copy_among_factors(std::span<const U> values) {
  U* const to = room_among_factors<U>(ledger_, static_cast<Index>(values.size()));
  std::ranges::copy(values, to);
  return to;
}

template <class T>
MatrixView<T> LowRankFront<T>::copy_among_factors(MatrixView<T> from) {
  const MatrixView<T> to{room_among_factors<T>(ledger_, from.rows * from.cols), from.rows, from.cols,
                         std::max<Index>(from.rows, 1)};
  copy_into<T>(from, to);
  return to;
}

OVERLAPACK_INSTANTIATE_CLASS(LowRankFront);

}  // namespace overlapack::sparse::multifrontal
