#include "sparse/multifrontal/factors/low_rank_strip.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/triangular.hpp"
#include "kernels/update/swap.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse::multifrontal {

template <class T>
LowRankStrip<T>::LowRankStrip(const Structure& structure, const FactorPlan& plan, double largest,
                              const Strips& strips, Strip<T>& strip, Ledger& ledger)
    : structure_(structure), plan_(plan.fronts.low_rank), largest_(largest), strip_(strip), ledger_(ledger) {
  const RowBlocks blocks = row_blocks(structure, plan_, strip.front, strip.summed, strips.start);
  for (Index b = blocks.summed; b <= blocks.count(); ++b) {
    const Index row = blocks.bounds[b] - strip.summed;
    if (row >= strip.first && row <= strip.end) bounds_.push_back(row - strip.first);
  }
  tally_.low_rank_strips = 1;
}

template <class T>
void LowRankStrip<T>::apply(comm::Rank& rank, const PanelMessage<T>& panel) {
  const std::vector<Block> theirs = panel.blocks.blocks();
  if (structure_.is_symmetric()) {
    subtract(rank, panel, products_symmetric(theirs));  // C -= X (V D V^T) X^T
  } else {
    solve(rank, panel);                                // L21 <- L21 U11^{-1}
    std::vector<Block> mine = compress(rank, panel);   // L21 ~ X V
    subtract(rank, panel, products_lu(mine, theirs));  // L21, C -= X (V V_U^T) X_U^T
    strip_.low_rank->panels.push_back(
        {.first = panel.first, .pivots = panel.count, .beside = std::move(mine)});
  }
  strip_.eliminated += panel.count;
  count_full(panel);
}

/// Exchanges columns of L21 as the panel did, then solves for L21 of the panel's pivots.
template <class T>
void LowRankStrip<T>::solve(comm::Rank& rank, const PanelMessage<T>& panel) {
  const Index k = panel.first, e = panel.count, rows = strip_.rows();
  const MatrixView<T> L21 = strip_.L21();
  const auto width = static_cast<Index>(panel.exchanged.size());
  const kernels::Cost cost = kernels::triangular_cost<T>(e, rows);
  tally_.flops += cost.flops;
  rank.compute({"strip_solve", cost.flops, cost.bytes, rows, e}, [&] {
    if (width > 0) {
      std::vector<std::int32_t> order(panel.exchanged.begin(), panel.exchanged.end());
      std::vector<T> room(static_cast<std::size_t>(rows));
      kernels::permute_columns<T>(L21.block(0, k, rows, width), order, room);
    }
    if (e > 0) kernels::solve_right_lower_trans<T>(panel.columns, true, false, L21.block(0, k, rows, e));
  });
  rank.poll();
}

template <class T>
std::vector<LowRankBlock<T>> LowRankStrip<T>::compress(comm::Rank& rank, const PanelMessage<T>& panel) {
  std::vector<Candidate<T>> all;
  if (panel.count > 0)
    for (std::size_t b = 0; b + 1 < bounds_.size(); ++b)
      all.push_back(
          {.top = bounds_[b],
           .numbers = strip_.L21().block(bounds_[b], panel.first, bounds_[b + 1] - bounds_[b], panel.count),
           .limit = plan_.tolerance * largest_,
           .is_tried = !gives_up_});
  if (!compress_candidates(&rank, plan_, all, omega_, tally_)) gives_up_ = true;
  std::vector<Block> kept;
  for (const Candidate<T>& candidate : all) {
    kept.push_back(store_compressed(candidate, ledger_));
    tally_.strip_entries += kept.back().of.entries();
  }
  return kept;
}

/// The products for L21 in the fully summed columns behind the panel, and for C.
template <class T>
std::vector<Product<T>> LowRankStrip<T>::products_lu(std::span<const Block> mine,
                                                     std::span<const Block> theirs) const {
  const Index s = strip_.summed;
  std::vector<Product<T>> products;
  for (const Block& column : theirs)
    for (const Block& row : mine) {
      const MatrixView<T> of = column.top < s ? strip_.L21() : strip_.contribution();
      const Index left = column.top < s ? column.top : column.top - s;
      products.push_back({row.of, column.of, of.block(row.top, left, row.of.rows(), column.of.rows())});
    }
  return products;
}

/// The products for the strip's rows of C, up to the diagonal. The blocks of the strip's own rows are the
/// last ones that came.
template <class T>
std::vector<Product<T>> LowRankStrip<T>::products_symmetric(std::span<const Block> theirs) const {
  const Index s = strip_.summed;
  std::vector<Product<T>> products;
  for (const Block& row : theirs) {
    if (row.top - s < strip_.first) continue;
    for (const Block& column : theirs)
      if (column.top <= row.top)
        products.push_back({row.of, column.of,
                            strip_.contribution().block(row.top - s - strip_.first, column.top - s,
                                                        row.of.rows(), column.of.rows()),
                            column.top == row.top});
  }
  return products;
}

template <class T>
void LowRankStrip<T>::subtract(comm::Rank& rank, const PanelMessage<T>& panel,
                               std::span<const Product<T>> products) {
  double flops = 0;
  for (const Product<T>& product : products) flops += product.flops();
  tally_.flops += flops;
  kernels::Middle<T> D;
  if (structure_.kind == FactorKind::ldlt) D = {structure_.hermitian, panel.d.data(), panel.d_off.data()};
  rank.run_slices({"products", flops, 0, strip_.rows()}, products.size(), [&](std::size_t i) {
    kernels::LowRankSpace<T> space;
    products[i].subtract(D, structure_.is_conjugated(), space);
  });
}

/// Counts the flops that the panel would have taken in full rank.
template <class T>
void LowRankStrip<T>::count_full(const PanelMessage<T>& panel) {
  const Index e = panel.count, rows = strip_.rows();
  if (structure_.is_symmetric()) {
    tally_.full_strip_flops += kernels::gemm_cost<T>(rows, (strip_.first + strip_.end) / 2, e).flops;
    return;
  }
  const Index behind = strip_.summed - panel.first - e + strip_.width;
  tally_.full_strip_flops +=
      kernels::triangular_cost<T>(e, rows).flops + kernels::gemm_cost<T>(rows, behind, e).flops;
}

OVERLAPACK_INSTANTIATE_CLASS(LowRankStrip);

}  // namespace overlapack::sparse::multifrontal
