#include "sparse/multifrontal/factors/strip.hpp"

#include "base/instantiate.hpp"
#include "comm/values.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/operand.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/update/extend_add.hpp"
#include "kernels/update/swap.hpp"
#include "kernels/update/update.hpp"
#include "sparse/multifrontal/front/lower_rows.hpp"
#include "sparse/multifrontal/plan/strips.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::sparse::multifrontal {

namespace {

/// positions + shift, as a map for extend_add.
std::vector<std::int32_t> shifted(const std::vector<std::int32_t>& positions, Index shift) {
  std::vector<std::int32_t> map(positions.size());
  std::ranges::transform(positions, map.begin(),
                         [&](std::int32_t p) { return static_cast<std::int32_t>(p + shift); });
  return map;
}

}  // namespace

std::vector<std::int32_t> delayed_positions(const Structure& structure, std::span<const Index> delayed,
                                            Index child, Index count) {
  if (count == 0) return {};
  Index offset = 0;
  std::size_t i = 0;
  for (Index c = structure.first_child[structure.tree.parent[child]]; c != child;
       c = structure.next_sibling[c])
    offset += delayed[i++];
  std::vector<std::int32_t> positions(static_cast<std::size_t>(count));
  std::iota(positions.begin(), positions.end(), static_cast<std::int32_t>(offset));
  return positions;
}

template <class T>
PanelMessage<T> panel_of(const Structure& structure, const Front<T>& front,
                         const kernels::PanelSteps<T>& steps, Index first, Index count) {
  const Index top = structure.is_symmetric() ? front.summed : first;
  const auto pivots = static_cast<std::size_t>(count);
  PanelMessage<T> panel;
  panel.front = front.number;
  panel.first = first;
  panel.count = count;
  panel.columns = front.panel().block(top, first, front.order() - top, count);
  if (structure.kind == FactorKind::lu) panel.exchanged = steps.exchanged();
  if (structure.kind == FactorKind::ldlt) {
    panel.d = {front.d + first, pivots};
    panel.d_off = {front.d_off + first, pivots};
  }
  return panel;
}

template <class T>
PanelMessage<T> panel_of(const Structure& structure, const Front<T>& front, const LowRankPanel<T>& blocks) {
  const bool is_lu = structure.kind == FactorKind::lu;
  const auto pivots = static_cast<std::size_t>(blocks.pivots);
  PanelMessage<T> panel;
  panel.front = front.number;
  panel.first = blocks.first;
  panel.count = blocks.pivots;
  panel.is_in_blocks = true;
  panel.border_top = front.summed;
  panel.below = blocks.below;
  if (is_lu) panel.columns = blocks.square;
  if (is_lu && blocks.col_order != nullptr)
    panel.exchanged = {blocks.col_order, static_cast<std::size_t>(blocks.width)};
  if (!is_lu)
    panel.below = panel.below.last(static_cast<std::size_t>(
        std::ranges::count_if(blocks.below, [&](const auto& block) { return block.top >= front.summed; })));
  if (structure.kind == FactorKind::ldlt) {
    panel.d = {front.d + blocks.first, pivots};
    panel.d_off = {front.d_off + blocks.first, pivots};
  }
  return panel;
}

template <class T>
StripWork<T>::StripWork(const Structure& structure, const FactorPlan& plan, Strip<T>& strip,
                        std::vector<Index> delayed)
    : structure_(structure), plan_(plan), strip_(strip), delayed_(std::move(delayed)) {}

template <class T>
void StripWork<T>::assemble(const StripEntries<T>& entries, std::span<const Piece<T>> pieces) {
  if (structure_.is_symmetric()) return;
  const MatrixView<T> L21 = strip_.L21();
  const Index delayed = std::accumulate(delayed_.begin(), delayed_.end(), Index{0});
  for (std::size_t k = 0; k < entries.value.size(); ++k)
    L21(entries.row[k] - strip_.first, entries.pivot[k] + delayed) += entries.value[k];
  for (const Piece<T>& piece : pieces) {
    const PositionsInParent positions = positions_in_parent(structure_.tree, piece.front);
    const auto rows = shifted(positions.position, -strip_.first),
               columns = shifted(positions.position, delayed);
    Piece<T> summed = piece;
    summed.block.cols = std::min(piece.end_col(), positions.summed) - piece.first_col;
    add_piece(summed, false, rows.data(), columns.data(), L21);
    const auto late = delayed_positions(structure_, delayed_, piece.front, piece.delayed.cols);
    kernels::extend_add<T>(piece.delayed, rows.data() + piece.first_row, late.data(), L21);
  }
}

template <class T>
void StripWork<T>::apply(comm::Rank& rank, const PanelMessage<T>& panel) {
  if (panel.count == 0) return;
  if (structure_.is_symmetric())
    apply_symmetric(rank, panel);
  else
    apply_lu(rank, panel);
  strip_.eliminated += panel.count;
  is_started_ = true;
}

template <class T>
void StripWork<T>::apply_lu(comm::Rank& rank, const PanelMessage<T>& panel) {
  const Index k = panel.first, e = panel.count, rest = strip_.summed - k - e, rows = strip_.rows();
  const MatrixView<const T> Lp = panel.columns;
  const MatrixView<T> L21 = strip_.L21();
  flops_ += apply_panel<T>(rank, plan_, k, panel.exchanged, Lp, L21);
  // C -= L21 U12
  const kernels::Cost cost = kernels::gemm_cost<T>(rows, strip_.width, e);
  const Update update{strip_.contribution(), Lp.block(e + rest, 0, strip_.width, e)};
  subtract_product(rank, {"strip_gemm", cost.flops, cost.bytes, rows, strip_.width, e},
                   L21.block(0, k, rows, e), {&update, 1}, false);
}

template <class T>
void StripWork<T>::apply_symmetric(comm::Rank& rank, const PanelMessage<T>& panel) {
  const Index e = panel.count, rows = strip_.rows();
  const MatrixView<T> C = strip_.contribution();
  // C(:, block) -= W L21(block, :)^T, block after block down to the diagonal
  std::vector<Update> updates;
  MatrixView<const T> W;
  for (std::size_t i = 0; panel.cuts[i] < strip_.end; ++i) {
    W = panel.rows_of(i);  // after the last round: the strip's own rows
    updates.push_back({C.block(0, panel.cuts[i], rows, W.rows), W, panel.cuts[i] == strip_.first});
  }
  if (structure_.kind == FactorKind::ldlt) {
    comm::run_unless_phantom(rank, [&] {
      work_.resize(static_cast<std::size_t>(padded_ld(rows) * e));
      const MatrixView<T> scaled{work_.data(), rows, e, padded_ld(rows)};
      kernels::scale_by_d<T>(W, structure_.hermitian, panel.d, panel.d_off, scaled);
      W = scaled;
    });
  }
  const kernels::Cost cost = kernels::gemm_cost<T>(rows, (strip_.first + strip_.end) / 2, e);
  subtract_product(rank, {"strip_gemm", cost.flops, cost.bytes, rows, strip_.width, e}, W, updates,
                   structure_.is_conjugated());
}

/// C <- C - A B^T of each update; the first panel writes C <- -A B^T.
template <class T>
void StripWork<T>::subtract_product(comm::Rank& rank, const comm::Work& work, MatrixView<const T> A,
                                    std::span<const Update> updates, bool conjugated) {
  const Index edge = kernels::tile_edge<T>(plan_.slice_flops, A.cols);
  std::vector<std::pair<kernels::Tile, const Update*>> tiles;
  for (const Update& update : updates)
    for (const kernels::Tile& tile : update.is_diagonal ? kernels::lower_tiles(A.rows, A.rows, edge)
                                                        : kernels::full_tiles(A.rows, update.C.cols, edge))
      tiles.emplace_back(tile, &update);
  const auto run = [&](std::size_t i) {
    const auto& [tile, update] = tiles[i];
    kernels::update_tile<T>(tile, A, update->B, conjugated, is_started_, update->C);
  };
  if (work.flops > plan_.slice_flops) {
    rank.run_slices(work, tiles.size(), run);
  } else {
    rank.compute(work, [&] {
      for (std::size_t i = 0; i < tiles.size(); ++i) run(i);
    });
    rank.poll();
  }
  flops_ += work.flops;
}

template <class T>
void StripWork<T>::clear_block() {
  const MatrixView<T> C = strip_.contribution();
  if (!is_started_) std::fill_n(C.data, C.ld * C.cols, T(0));
  is_started_ = true;
}

template <class T>
void StripWork<T>::add_border(std::span<const Piece<T>> pieces) {
  clear_block();
  const MatrixView<T> C = strip_.contribution();
  for (const Piece<T>& piece : pieces) {
    const PositionsInParent positions = positions_in_parent(structure_.tree, piece.front);
    const auto rows = shifted(positions.position, -strip_.first);
    Piece<T> rest = piece;
    rest.first_col = std::max(piece.first_col, positions.summed);
    const Index left = rest.first_col - piece.first_col;
    rest.block = piece.block.block(0, left, piece.block.rows, piece.block.cols - left);
    add_piece(rest, structure_.is_symmetric(), rows.data(), positions.position.data(), C);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template PanelMessage<T> panel_of(const Structure&, const Front<T>&, const kernels::PanelSteps<T>&, Index, \
                                    Index);                                                                  \
  template PanelMessage<T> panel_of(const Structure&, const Front<T>&, const LowRankPanel<T>&);              \
  template class StripWork<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
