#include "sparse/supernodal/update.hpp"

#include "kernels/gemm.hpp"
#include "kernels/update.hpp"

#include <algorithm>
#include <complex>

namespace overlapack::sparse {

template <class T>
Update<T>::Update(comm::Rank& rank, const NodeGrid& nodes, NodePanels<T>& panels, const FactorPlan& plan,
                  bool polls, FactorStats& stats)
    : rank_(rank),
      nodes_(nodes),
      panels_(panels),
      plan_(plan.nodes),
      slice_flops_(plan.slice_flops),
      polls_(polls),
      stats_(stats) {}

template <class T>
void Update<T>::look_at(Index k, MatrixView<const T> L, MatrixView<const T> U) {
  lower_ = {nodes_.rows(k), L};
  upper_ = {nodes_.columns(k), U};
  tiles_.clear();
}

template <class T>
void Update<T>::column(Index k, Index j, MatrixView<const T> L, MatrixView<const T> U) {
  look_at(k, L, U);
  const auto& segments = upper_.part.segments;
  const auto found = std::ranges::lower_bound(segments, j, {}, &Segment::node);
  if (found == segments.end() || found->node != j) return;
  const Index at = found - segments.begin();
  add_tiles(true, at, at + 1);
  run_tiles(k);
}

template <class T>
void Update<T>::rest(Index k, std::span<const Index> done, MatrixView<const T> L, MatrixView<const T> U) {
  look_at(k, L, U);
  const auto is_left_out = [&](bool is_lower, const Segment& segment) {
    return is_lower ? std::ranges::find(done, segment.node) != done.end()
                    : segment.node == k;  // k: the square
  };
  for (const bool is_lower : {true, false}) {
    const auto& segments = narrow(is_lower).part.segments;
    const auto count = static_cast<Index>(segments.size());
    for (Index first = 0; first < count;) {  // segments together as far as they fill a tile
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

/// The first row of the tall list that is of panel `node`: of its square or below in L, behind its square in U.
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

/// In slices, between which bytes move.
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
    rank_.compute({.kind = "update", .flops = cost.flops, .bytes = cost.bytes}, [&] {
      for (std::size_t t = first; t < next; ++t) run(tiles_[t]);
    });
    if (polls_ && next < tiles_.size()) rank_.poll();
  }
}

/// place_ <- where rows begin .. tall_end of the tall list stand in the panel of `node`.
template <class T>
void Update<T>::find_tall_places(const Tile& tile, std::int32_t node, Index begin) {
  const NodePart& from = tall(tile.is_lower).part;
  const NodePart to = tile.is_lower ? nodes_.rows(node) : nodes_.columns(node);
  place_.resize(static_cast<std::size_t>(tile.tall_end - begin));
  auto segment = std::ranges::upper_bound(from.segments, begin, {}, &Segment::begin) - 1;
  for (Index at = begin; at < tile.tall_end; ++segment) {
    const Index end = std::min<Index>(segment->end, tile.tall_end);
    find_places(to, segment->node,
                from.variable.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(end - at)),
                place_.data() + (at - begin));
    at = end;
  }
}

template <class T>
bool Update<T>::has_places_side_by_side(Index count) const {
  return place_.back() - place_.front() + 1 == count;
}

/// Into the panel itself, if the tile is one block there.
template <class T>
bool Update<T>::run_directly(const Tile& tile) {
  const Side &from = tall(tile.is_lower), &by = narrow(tile.is_lower);
  const Segment& segment = by.part.segments[tile.first];
  const auto columns = by.part.of(segment);
  const Index m = tile.tall_end - tile.tall_begin, n = segment.size();
  if (tile.last - tile.first > 1 || n < plan_.direct_columns || columns.back() - columns.front() + 1 != n)
    return false;
  find_tall_places(tile, segment.node, tile.tall_begin);
  if (!has_places_side_by_side(m)) return false;
  const MatrixView<T> C = panels_.side(tile.is_lower, segment.node).values;
  kernels::full_update<T>(from.values.block(tile.tall_begin, 0, m, from.values.cols),
                          by.values.block(segment.begin, 0, n, by.values.cols), true,
                          C.block(place_.front(), columns.front() - nodes_.first(segment.node), m, n));
  ++std::get<NodeCounts>(stats_.own).direct_products;
  return true;
}

template <class T>
void Update<T>::run(const Tile& tile) {
  if (run_directly(tile)) return;
  const Side &from = tall(tile.is_lower), &by = narrow(tile.is_lower);
  const auto& segments = by.part.segments;
  const Index m = tile.tall_end - tile.tall_begin, n = columns_of(tile), ld = padded_ld(m);
  if (static_cast<Index>(work_.size()) < ld * n) work_.resize(static_cast<std::size_t>(ld * n));
  const MatrixView<T> W{work_.data(), m, n, ld};
  kernels::full_update<T>(from.values.block(tile.tall_begin, 0, m, from.values.cols),
                          by.values.block(segments[tile.first].begin, 0, n, by.values.cols), false, W);
  for (Index s = tile.first; s < tile.last; ++s) {
    const Segment& segment = segments[s];
    const Index begin = std::max(tile.tall_begin, tall_from(tile.is_lower, segment.node));
    if (begin >= tile.tall_end) break;  // the others begin later still
    find_tall_places(tile, segment.node, begin);
    const MatrixView<T> C = panels_.side(tile.is_lower, segment.node).values;
    const auto columns = by.part.of(segment);
    const Index count = tile.tall_end - begin;
    const bool is_block = has_places_side_by_side(count);
    for (std::int32_t c = 0; c < segment.size(); ++c) {
      const T* const w = W.column(segment.begin + c - segments[tile.first].begin) + (begin - tile.tall_begin);
      T* const to = C.column(columns[c] - nodes_.first(segment.node));
      if (is_block) {
        T* const block = to + place_.front();
        for (Index i = 0; i < count; ++i) block[i] += w[i];
      } else {
        for (Index i = 0; i < count; ++i) to[place_[i]] += w[i];
      }
    }
  }
}

#define OVERLAPACK_INSTANTIATE(T) template class Update<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse
