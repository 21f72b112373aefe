#include "sparse/multifrontal/front/assemble.hpp"

#include "base/instantiate.hpp"
#include "kernels/update/extend_add.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace overlapack::sparse::multifrontal {

namespace {
/// The same view with its rows counted from `rows` and its columns from `cols`, so that a map to positions in
/// the whole front fits a block of the front. A null view stays null: nothing is added to it.
template <class T>
MatrixView<T> counted_from(MatrixView<T> view, Index rows, Index cols) {
  if (view.data != nullptr) view.data -= rows + cols * view.ld;
  return view;
}

/// Bounds lo, hi of the indices in from .. to - 1 at which an ascending map has values in first .. last - 1.
std::pair<Index, Index> within(const std::int32_t* map, Index from, Index to, Index first, Index last) {
  const auto lo = std::lower_bound(map + from, map + to, first), hi = std::lower_bound(lo, map + to, last);
  return {lo - map, hi - map};
}

/// This thread's work space for parts of tiles.
template <class T>
TileSpace<T>& tile_space() {
  thread_local TileSpace<T> space;
  return space;
}

}  // namespace

template <class T>
Assembler<T>::Assembler(const Structure& structure, FrontSpace<T>& space)
    : structure_(structure), position_(space.position), map_(space.map), identity_(space.identity) {
  position_.resize(static_cast<std::size_t>(structure.tree.n));
}

template <class T>
void Assembler<T>::begin(const Front<T>& front, std::span<const Contribution<T>> children) {
  std::int32_t* row_name = front.row_name;
  std::int32_t* col_name = front.col_name;
  for (const auto& child : children) {
    row_name = std::copy_n(child.row_name, child.delayed, row_name);
    if (!structure_.is_symmetric()) col_name = std::copy_n(child.col_name, child.delayed, col_name);
  }
  const AssemblyTree& tree = structure_.tree;
  const auto first = static_cast<std::int32_t>(tree.first_pivot[front.number]);
  const Index own = tree.pivots(front.number), delayed = front.summed - own;
  std::iota(row_name, row_name + own, first);
  if (!structure_.is_symmetric()) std::iota(col_name, col_name + own, first);

  std::iota(position_.begin() + first, position_.begin() + first + own, static_cast<std::int32_t>(delayed));
  const std::int32_t* rows = tree.rows(front.number);
  for (Index i = 0; i < front.border; ++i) position_[rows[i]] = static_cast<std::int32_t>(front.summed + i);

  identity_.resize(static_cast<std::size_t>(delayed));
  std::iota(identity_.begin(), identity_.end(), 0);
  Index size = 0;
  for (const auto& child : children) size += 2 * child.border;
  map_.resize(static_cast<std::size_t>(size));
  std::int32_t* map = map_.data();
  for (const auto& child : children) {
    const std::int32_t* const names = tree.rows(child.front);
    for (Index i = 0; i < child.border; ++i) {
      map[i] = position_[names[i]];
      map[child.border + i] = map[i] - static_cast<std::int32_t>(front.summed);
    }
    map += 2 * child.border;
  }
}

template <class T>
Index Assembler<T>::column_of(const Front<T>& front, const EntryList<T>& entries, std::size_t k) const {
  const Index i = position_[entries.row[k]], j = position_[entries.col[k]];
  return !structure_.is_symmetric() && i < front.summed ? i : j;
}

template <class T>
void Assembler<T>::add_entry(const Front<T>& front, const EntryList<T>& entries, std::size_t k) const {
  const Index i = position_[entries.row[k]], j = position_[entries.col[k]];
  if (structure_.is_symmetric())
    front.panel()(i, j) += entries.value[k];
  else if (i < front.summed)
    front.panel()(j, i) += entries.value[k];
  else if (front.lower_data != nullptr)  // null: the row is in a strip, which adds the entry
    front.L21()(i - front.summed, j) += entries.value[k];
}

template <class T>
void Assembler<T>::add_entries(const Front<T>& front, const EntryList<T>& entries) {
  for (std::size_t k = 0; k < entries.value.size(); ++k) add_entry(front, entries, k);
}

template <class T>
void Assembler<T>::add_entries(const Front<T>& front, const EntryList<T>& entries,
                               std::span<const std::int32_t> numbers) const {
  for (const std::int32_t k : numbers) add_entry(front, entries, static_cast<std::size_t>(k));
}

template <class T>
void Assembler<T>::sort_entries(const Front<T>& front, const EntryList<T>& entries,
                                std::span<const Index> bounds, std::vector<std::int32_t>& order,
                                std::vector<Index>& start) const {
  const std::size_t count = entries.value.size();
  std::vector<std::int32_t> range_of(count);
  start.assign(bounds.size(), 0);
  for (std::size_t k = 0; k < count; ++k) {
    const auto range = std::ranges::upper_bound(bounds, column_of(front, entries, k)) - bounds.begin();
    range_of[k] = static_cast<std::int32_t>(range - 1);
    ++start[range];
  }
  std::partial_sum(start.begin(), start.end(), start.begin());
  order.resize(count);
  std::vector<Index> next(start.begin(), start.end());
  for (std::size_t k = 0; k < count; ++k) order[next[range_of[k]]++] = static_cast<std::int32_t>(k);
}

template <class T>
template <class F>
void Assembler<T>::for_each_child(std::span<const Contribution<T>> children, F&& f) const {
  const std::int32_t *map = map_.data(), *delayed = identity_.data();
  for (const auto& child : children) {
    const std::int32_t* const block_map = map + child.border;
    const Index summed = std::lower_bound(block_map, block_map + child.border, 0) - block_map;
    f(Child{child, map, block_map, summed, delayed});
    map += 2 * child.border;
    delayed += child.delayed;
  }
}

template <class T>
void Assembler<T>::add_summed(const Front<T>& front, std::span<const Contribution<T>> children, Index first,
                              Index last) const {
  for_each_child(children, [&](const Child& child) {
    if (structure_.is_symmetric())
      add_summed_symmetric(front, child, first, last);
    else
      add_summed_lu(front, child, first, last);
  });
}

template <class T>
void Assembler<T>::add_summed_lu(const Front<T>& front, const Child& child, Index first, Index last) const {
  const Contribution<T>& c = child.of;
  const Index q = child.summed, m = c.border, d = c.delayed;
  const MatrixView<T> panel = front.panel();
  const MatrixView<T> lower = counted_from(front.L21(), front.summed, 0);
  const auto [lo, hi] = within(child.map, 0, q, first, last);
  // rows of the block that are fully summed here, then columns that are, below those rows
  add_summed_tiles(front, child, lo, hi);
  if (c.block.data != nullptr) {
    const MatrixView<const T> block = c.block.whole();
    kernels::extend_add_transposed<T>(block.block(lo, 0, hi - lo, m), child.map + lo, child.map, panel);
    kernels::extend_add<T>(block.block(q, lo, m - q, hi - lo), child.map + q, child.map + lo, lower);
  }
  if (d == 0) return;
  const auto [from, to] = within(child.delayed, 0, d, first, last);
  const std::int32_t* const columns = child.delayed + from;
  if (c.square.data != nullptr)
    kernels::extend_add<T>(c.square.block(0, from, d, to - from), child.delayed, columns, panel);
  if (c.rows.data != nullptr)
    kernels::extend_add<T>(c.rows.block(0, from, m, to - from), child.map, columns, panel);
  if (c.cols.data == nullptr) return;
  kernels::extend_add_transposed<T>(c.cols.block(lo, 0, hi - lo, d), child.map + lo, child.delayed, panel);
  kernels::extend_add<T>(c.cols.block(q, from, m - q, to - from), child.map + q, columns, lower);
}

template <class T>
void Assembler<T>::add_summed_symmetric(const Front<T>& front, const Child& child, Index first,
                                        Index last) const {
  const Contribution<T>& c = child.of;
  const Index d = c.delayed;
  const MatrixView<T> panel = front.panel();
  const auto [lo, hi] = within(child.map, 0, child.summed, first, last);
  add_summed_tiles(front, child, lo, hi);
  if (c.block.data != nullptr && lo < hi) kernels::extend_add_lower<T>(c.block, lo, hi, child.map, panel);
  if (d == 0) return;
  const auto [from, to] = within(child.delayed, 0, d, first, last);
  const std::int32_t* const columns = child.delayed + from;
  const Index count = to - from;
  if (c.square.data != nullptr) {
    kernels::extend_add_lower<T>(c.square.block(from, from, count, count), columns, structure_.hermitian,
                                 panel);
    kernels::extend_add<T>(c.square.block(to, from, d - to, count), child.delayed + to, columns, panel);
  }
  if (c.rows.data != nullptr)
    kernels::extend_add<T>(c.rows.block(0, from, c.border, count), child.map, columns, panel);
}

template <class T>
void Assembler<T>::add_border(const Front<T>& front, std::span<const Contribution<T>> children, Index first,
                              Index last) const {
  const StaircaseView<T> block = front.contribution();
  for_each_child(children, [&](const Child& child) {
    const Contribution<T>& c = child.of;
    const std::int32_t* const map = child.block_map;
    const Index q = child.summed, rest = c.border - q;
    const auto [lo, hi] = within(map, q, c.border, first, last);
    if (lo == hi) return;
    if (!c.tiles.empty())
      add_border_tiles(front, child, lo, hi);
    else if (c.block.data == nullptr)
      return;
    else if (structure_.is_symmetric())
      kernels::extend_add_lower<T>(c.block, lo, hi, map, block);
    else
      kernels::extend_add<T>(c.block.whole().block(q, lo, rest, hi - lo), map + q, map + lo, block.whole());
  });
}

template <class T>
void Assembler<T>::add_summed_tiles(const Front<T>& front, const Child& child, Index lo, Index hi) const {
  const MatrixView<T> panel = front.panel();
  for (const ContributionTile<T>& tile : child.of.tiles) {
    const Index rows = tile.rows(), cols = tile.cols();
    const auto row = [&](Index i) { return std::clamp<Index>(i - tile.top, 0, rows); };
    const auto column = [&](Index j) { return std::clamp<Index>(j - tile.left, 0, cols); };
    const Index r0 = row(lo), r1 = row(hi), below = row(child.summed), c0 = column(lo), c1 = column(hi);
    const std::int32_t *const row_map = child.map + tile.top, *const col_map = child.map + tile.left;
    if (tile.is_zero()) continue;
    if (structure_.is_symmetric()) {
      const Index top = tile.is_lower ? c0 : 0;
      if (c0 < c1)
        kernels::extend_add<T>(tile.part(top, rows, c0, c1, tile_space<T>()), tile.is_lower, row_map + top,
                               col_map + c0, StaircaseView<T>{panel.data, front.order(), front.order()});
      continue;
    }
    if (r0 < r1)
      kernels::extend_add_transposed<T>(tile.part(r0, r1, 0, cols, tile_space<T>()), row_map + r0, col_map,
                                        panel);
    if (below < rows && c0 < c1)
      kernels::extend_add<T>(tile.part(below, rows, c0, c1, tile_space<T>()), row_map + below, col_map + c0,
                             counted_from(front.L21(), front.summed, 0));
  }
}

template <class T>
void Assembler<T>::add_border_tiles(const Front<T>& front, const Child& child, Index lo, Index hi) const {
  for (const ContributionTile<T>& tile : child.of.tiles) {
    const Index rows = tile.rows(), cols = tile.cols();
    const Index c0 = std::clamp<Index>(lo - tile.left, 0, cols),
                c1 = std::clamp<Index>(hi - tile.left, 0, cols);
    const Index r = tile.is_lower ? c0 : std::clamp<Index>(child.summed - tile.top, 0, rows);
    if (tile.is_zero() || r == rows || c0 == c1) continue;
    kernels::extend_add<T>(tile.part(r, rows, c0, c1, tile_space<T>()), tile.is_lower,
                           child.block_map + tile.top + r, child.block_map + tile.left + c0,
                           front.contribution());
  }
}

OVERLAPACK_INSTANTIATE_CLASS(Assembler);

}  // namespace overlapack::sparse::multifrontal
