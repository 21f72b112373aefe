#include "sparse/supernodal/factorize/left_update.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/update/update.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <algorithm>

namespace overlapack::sparse::supernodal {

template <class T>
LeftUpdate<T>::LeftUpdate(comm::Rank& rank, const NodeGrid& nodes, RankPanels<T>& panels,
                          const FactorPlan& plan, FactorStats& stats)
    : rank_(rank), nodes_(nodes), panels_(panels), plan_(plan.nodes), stats_(stats), map_(nodes.order()) {
  const auto count = static_cast<std::size_t>(nodes.nodes_with_border());
  const std::vector<std::int32_t> none(count, -1);
  rows_ = {none, none, std::vector<std::int32_t>(count, 1)};  // segment 0 of a list of rows is the square
  columns_ = {none, none, std::vector<std::int32_t>(count, 0)};
}

template <class T>
void LeftUpdate<T>::update(Index j) {
  kernels::CommonWidth widths;
  const kernels::Cost cost = cost_of_half(true, j, widths) + cost_of_half(false, j, widths);
  if (cost.flops > 0) {
    stats_.flops += cost.flops;
    rank_.compute({.kind = "update", .flops = cost.flops, .bytes = cost.bytes, .k = widths.width()}, [&] {
      for (const bool is_lower : {true, false}) run_half(is_lower, j);
    });
  }
  for (const bool is_lower : {true, false}) chain_to_next_node(is_lower, j);
  if (j >= nodes_.nodes()) return;
  rows_.add(j, nodes_.rows(j));
  columns_.add(j, nodes_.columns(j));
}

/// First position in giver k's tall list that belongs to panel j: to its square or below in L, behind its square in U.
template <class T>
Index LeftUpdate<T>::tall_from(bool is_lower, Index j, Index k) const {
  const NodePart list = tall(is_lower, k);
  auto at = static_cast<std::size_t>(givers(!is_lower).at[k]);
  if (!is_lower && at < list.segments.size() && list.segments[at].node == j) ++at;
  return at < list.segments.size() ? list.segments[at].begin : list.size();
}

template <class T>
kernels::Cost LeftUpdate<T>::cost_of_half(bool is_lower, Index j, kernels::CommonWidth& widths) const {
  kernels::Cost cost;
  const Givers& from = givers(is_lower);
  for (std::int32_t k = from.first[j]; k >= 0; k = from.next[k]) {
    const kernels::Cost product =
        kernels::gemm_cost<T>(tall(is_lower, k).size() - tall_from(is_lower, j, k),
                              tall(!is_lower, k).segments[from.at[k]].size(), nodes_.width(k));
    widths.add(product.flops, nodes_.width(k));
    cost = cost + product;
  }
  return cost;
}

template <class T>
void LeftUpdate<T>::run_half(bool is_lower, Index j) {
  const Givers& from = givers(is_lower);
  if (from.first[j] < 0) return;
  map_.set_variables(tall(is_lower, j).variable);
  for (std::int32_t k = from.first[j]; k >= 0; k = from.next[k]) run(is_lower, j, k);
}

template <class T>
void LeftUpdate<T>::run(bool is_lower, Index j, Index k) {
  const NodePart from = tall(is_lower, k), by = tall(!is_lower, k);
  const Segment& segment = by.segments[givers(is_lower).at[k]];
  const Index begin = tall_from(is_lower, j, k), m = from.size() - begin, n = segment.size();
  row_position_.resize(static_cast<std::size_t>(m));
  map_.find(from.variable.subspan(static_cast<std::size_t>(begin)), row_position_.data());
  column_position_.assign(by.variables_in(segment).begin(), by.variables_in(segment).end());
  for (std::int32_t& column : column_position_) column -= static_cast<std::int32_t>(nodes_.first(j));
  const Index w = nodes_.width(k);
  stats_.direct_products += kernels::scattered_update<T>(
      panels_.side(is_lower, k).values.block(begin, 0, m, w),
      panels_.side(!is_lower, k).values.block(segment.begin, 0, n, w), row_position_, column_position_,
      {plan_.tile_rows, plan_.direct_columns}, work_, panels_.side(is_lower, j).values);
}

/// Moves the givers of j to the chains of the next nodes in their lists.
template <class T>
void LeftUpdate<T>::chain_to_next_node(bool is_lower, Index j) {
  Givers& from = givers(is_lower);
  for (std::int32_t k = from.first[j]; k >= 0;) {
    const std::int32_t next = from.next[k];
    ++from.at[k];
    from.add(k, tall(!is_lower, k));
    k = next;
  }
}

OVERLAPACK_INSTANTIATE_CLASS(LeftUpdate);

}  // namespace overlapack::sparse::supernodal
