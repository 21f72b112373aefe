#include "sparse/supernodal/factorize/update.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/update/extend_add.hpp"
#include "kernels/update/update.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <algorithm>

namespace overlapack::sparse::supernodal {

template <class T>
Update<T>::Update(comm::Rank& rank, const NodeGrid& nodes, RankPanels<T>& panels, const FactorPlan& plan,
                  bool polls, FactorStats& stats)
    : rank_(rank),
      nodes_(nodes),
      panels_(panels),
      plan_(plan.nodes),
      slice_flops_(plan.slice_flops),
      polls_(polls),
      stats_(stats) {}

template <class T>
void Update<T>::begin_node(Index k, MatrixView<const T> L, MatrixView<const T> U) {
  lower_ = {nodes_.rows(k), L};
  upper_ = {nodes_.columns(k), U};
  tiles_.clear();
}

template <class T>
void Update<T>::update_column(Index k, Index j, MatrixView<const T> L, MatrixView<const T> U) {
  begin_node(k, L, U);
  const auto& segments = upper_.part.segments;
  const auto found = std::ranges::lower_bound(segments, j, {}, &Segment::node);
  if (found == segments.end() || found->node != j) return;
  const Index at = found - segments.begin();
  add_tiles(true, at, at + 1);
  run_tiles(k);
}

template <class T>
void Update<T>::update_all_but(Index k, std::span<const Index> done, MatrixView<const T> L,
                               MatrixView<const T> U) {
  begin_node(k, L, U);
  const auto is_left_out = [&](bool is_lower, const Segment& segment) {
    return is_lower ? std::ranges::find(done, segment.node) != done.end()
                    : segment.node == k;  // k: the square
  };
  for (const bool is_lower : {true, false}) {
    const auto& segments = narrow(is_lower).part.segments;
    const auto count = static_cast<Index>(segments.size());
    for (Index first = 0; first < count;) {  // merge segments up to the width of a tile
      Index last = first, width = 0;
      while (last < count && !is_left_out(is_lower, segments[last]) &&
             (last == first || width + segments[last].size() <= plan_.tile_columns))
        width += segments[last++].size();
      if (last > first) add_tiles(is_lower, first, last);
      first = std::max(last, first + 1);
    }
  }
  run_tiles(k);
}

/// First position in the tall list that belongs to panel `node`: to its square or below in L, behind its square in U.
template <class T>
Index Update<T>::tall_from(bool is_lower, std::int32_t node) const {
  const NodePart& part = tall(is_lower).part;
  const auto found = std::ranges::lower_bound(part.segments, is_lower ? node : node + 1, {}, &Segment::node);
  return found == part.segments.end() ? part.size() : found->begin;
}

template <class T>
void Update<T>::add_tiles(bool is_lower, Index first, Index last) {
  const Index begin = tall_from(is_lower, narrow(is_lower).part.segments[first].node);
  for (const kernels::Tile& rows :
       kernels::full_tiles(tall(is_lower).part.size() - begin, 1, plan_.tile_rows))
    tiles_.push_back({is_lower, first, last, begin + rows.top, begin + rows.top + rows.rows});
}

template <class T>
Index Update<T>::columns_of(const Tile& tile) const {
  const auto& segments = narrow(tile.is_lower).part.segments;
  return segments[tile.last - 1].end - segments[tile.first].begin;
}

/// Run the tiles in slices, with polls between them if polls_.
template <class T>
void Update<T>::run_tiles(Index k) {
  const Index width = nodes_.width(k);
  for (std::size_t next = 0; next < tiles_.size();) {
    const std::size_t first = next;
    kernels::Cost cost;
    for (; next < tiles_.size() && (next == first || cost.flops < slice_flops_); ++next)
      cost = cost + kernels::gemm_cost<T>(tiles_[next].tall_end - tiles_[next].tall_begin,
                                          columns_of(tiles_[next]), width);
    stats_.flops += cost.flops;
    rank_.compute({.kind = "update", .flops = cost.flops, .bytes = cost.bytes, .k = width}, [&] {
      for (std::size_t t = first; t < next; ++t) run(tiles_[t]);
    });
    if (polls_ && next < tiles_.size()) rank_.poll();
  }
}

/// position_ <- positions of rows begin .. tall_end of the tall list in the panel of `node`.
template <class T>
void Update<T>::find_tall_positions(const Tile& tile, std::int32_t node, Index begin) {
  const NodePart& from = tall(tile.is_lower).part;
  const NodePart to = tile.is_lower ? nodes_.rows(node) : nodes_.columns(node);
  position_.resize(static_cast<std::size_t>(tile.tall_end - begin));
  auto segment = std::ranges::upper_bound(from.segments, begin, {}, &Segment::begin) - 1;
  for (Index at = begin; at < tile.tall_end; ++segment) {
    const Index end = std::min<Index>(segment->end, tile.tall_end);
    find_positions(to, segment->node,
                   from.variable.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(end - at)),
                   position_.data() + (at - begin));
    at = end;
  }
}

/// column_position_ <- positions of a segment's columns in its panel.
template <class T>
void Update<T>::find_column_positions(const NodePart& by, const Segment& segment) {
  const auto columns = by.variables_in(segment);
  column_position_.assign(columns.begin(), columns.end());
  for (std::int32_t& column : column_position_)
    column -= static_cast<std::int32_t>(nodes_.first(segment.node));
}

template <class T>
void Update<T>::run(const Tile& tile) {
  const Side &from = tall(tile.is_lower), &by = narrow(tile.is_lower);
  const auto& segments = by.part.segments;
  const Index m = tile.tall_end - tile.tall_begin, n = columns_of(tile), k = from.values.cols;
  const MatrixView<const T> rows = from.values.block(tile.tall_begin, 0, m, k),
                            columns = by.values.block(segments[tile.first].begin, 0, n, k);
  if (tile.last - tile.first == 1) {
    const Segment& segment = segments[tile.first];
    find_tall_positions(tile, segment.node, tile.tall_begin);
    find_column_positions(by.part, segment);
    stats_.direct_products += kernels::scattered_update<T>(rows, columns, position_, column_position_,
                                                           {plan_.tile_rows, plan_.direct_columns}, work_,
                                                           panels_.side(tile.is_lower, segment.node).values);
    return;
  }
  const MatrixView<T> W = kernels::work_view(work_, m, n);
  kernels::full_update<T>(rows, columns, false, W);
  for (Index s = tile.first; s < tile.last; ++s) {
    const Segment& segment = segments[s];
    const Index begin = std::max(tile.tall_begin, tall_from(tile.is_lower, segment.node));
    if (begin >= tile.tall_end) break;  // the others begin later still
    find_tall_positions(tile, segment.node, begin);
    find_column_positions(by.part, segment);
    kernels::extend_add<T>(W.block(begin - tile.tall_begin, segment.begin - segments[tile.first].begin,
                                   tile.tall_end - begin, segment.size()),
                           position_.data(), column_position_.data(),
                           panels_.side(tile.is_lower, segment.node).values);
  }
}

OVERLAPACK_INSTANTIATE_CLASS(Update);

}  // namespace overlapack::sparse::supernodal
