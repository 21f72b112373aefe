#include "sparse/multifrontal/front/assemble.hpp"

#include "base/instantiate.hpp"
#include "kernels/update/extend_add.hpp"

#include <algorithm>
#include <numeric>

namespace overlapack::sparse::multifrontal {

namespace {
/// The same view with its row indices counted from `rows` and its columns from `cols`: maps in the numbering of the
/// whole front then fit a block of it. A block without entries may have no position: nothing is added to it.
template <class T>
MatrixView<T> counted_from(MatrixView<T> view, Index rows, Index cols) {
  if (view.data != nullptr) view.data -= rows + cols * view.ld;
  return view;
}
}  // namespace

template <class T>
Assembler<T>::Assembler(const Structure& structure, FrontSpace<T>& space)
    : structure_(structure),
      position_(space.position),
      map_(space.map),
      identity_(space.identity),
      tile_(space.tile) {
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
}

template <class T>
void Assembler<T>::add_entries(const Front<T>& front, const EntryList<T>& entries) {
  const MatrixView<T> panel = front.panel(), lower = front.lower();
  const Index summed = front.summed;
  for (std::size_t k = 0; k < entries.value.size(); ++k) {
    const Index i = position_[entries.row[k]], j = position_[entries.col[k]];
    if (structure_.is_symmetric())
      panel(i, j) += entries.value[k];
    else if (i < summed)
      panel(j, i) += entries.value[k];
    else if (lower.data != nullptr)  // else its strip has it
      lower(i - summed, j) += entries.value[k];
  }
}

template <class T>
Index Assembler<T>::map_border(const Front<T>& front, const Contribution<T>& child) {
  map_.resize(static_cast<std::size_t>(child.border));
  const std::int32_t* rows = structure_.tree.rows(child.front);
  for (Index i = 0; i < child.border; ++i) map_[i] = position_[rows[i]];
  return std::lower_bound(map_.begin(), map_.end(), front.summed) - map_.begin();
}

template <class T>
void Assembler<T>::add_summed(const Front<T>& front, std::span<const Contribution<T>> children) {
  Index offset = 0;  // of the child's delayed variables in the front
  for (const auto& child : children) {
    if (structure_.is_symmetric())
      add_summed_symmetric(front, child, offset);
    else
      add_summed_lu(front, child, offset);
    offset += child.delayed;
  }
}

template <class T>
void Assembler<T>::add_summed_lu(const Front<T>& front, const Contribution<T>& child, Index offset) {
  const Index q = map_border(front, child), m = child.border, d = child.delayed;
  const MatrixView<T> panel = front.panel();
  const MatrixView<T> lower = counted_from(front.lower(), front.summed, 0);
  // rows of the block that are fully summed here, then columns that are, below those rows
  add_summed_tiles(front, child, q);
  if (child.block.data != nullptr) {
    const MatrixView<const T> block = child.block.whole();
    kernels::extend_add_transposed<T>(block.block(0, 0, q, m), map_.data(), map_.data(), panel);
    kernels::extend_add<T>(block.block(q, 0, m - q, q), map_.data() + q, map_.data(), lower);
  }
  if (d == 0) return;
  identity_.resize(static_cast<std::size_t>(d));
  std::iota(identity_.begin(), identity_.end(), static_cast<std::int32_t>(offset));
  kernels::extend_add<T>(child.square, identity_.data(), identity_.data(), panel);
  kernels::extend_add<T>(child.rows, map_.data(), identity_.data(), panel);
  if (child.cols.data == nullptr) return;
  kernels::extend_add_transposed<T>(child.cols.block(0, 0, q, d), map_.data(), identity_.data(), panel);
  kernels::extend_add<T>(child.cols.block(q, 0, m - q, d), map_.data() + q, identity_.data(), lower);
}

template <class T>
void Assembler<T>::add_summed_symmetric(const Front<T>& front, const Contribution<T>& child, Index offset) {
  const Index q = map_border(front, child), d = child.delayed;
  const MatrixView<T> panel = front.panel();
  add_summed_tiles(front, child, q);
  if (child.block.data != nullptr) kernels::extend_add_lower<T>(child.block, 0, q, map_.data(), panel);
  if (d == 0) return;
  identity_.resize(static_cast<std::size_t>(d));
  std::iota(identity_.begin(), identity_.end(), static_cast<std::int32_t>(offset));
  kernels::extend_add_lower<T>(child.square, identity_.data(), structure_.hermitian, panel);
  kernels::extend_add<T>(child.rows, map_.data(), identity_.data(), panel);
}

template <class T>
void Assembler<T>::add_border(const Front<T>& front, std::span<const Contribution<T>> children) {
  const StaircaseView<T> block = front.contribution();
  for (const auto& child : children) {
    const Index q = map_border(front, child), rest = child.border - q;
    std::int32_t* const map = map_.data();  // from q on: places in the block
    std::for_each(map + q, map + child.border,
                  [&](std::int32_t& place) { place -= static_cast<std::int32_t>(front.summed); });
    if (!child.tiles.empty())
      add_border_tiles(front, child, q);
    else if (structure_.is_symmetric())
      kernels::extend_add_lower<T>(child.block, q, child.border, map, block);
    else
      kernels::extend_add<T>(child.block.whole().block(q, q, rest, rest), map + q, map + q, block.whole());
  }
}

template <class T>
void Assembler<T>::add_summed_tiles(const Front<T>& front, const Contribution<T>& child, Index q) {
  const MatrixView<T> panel = front.panel();
  for (const ContributionTile<T>& tile : child.tiles) {
    const Index rows = tile.rows(), cols = tile.cols();
    const Index r = std::clamp<Index>(q - tile.top, 0, rows), c = std::clamp<Index>(q - tile.left, 0, cols);
    const std::int32_t *const row_map = map_.data() + tile.top, *const col_map = map_.data() + tile.left;
    if (tile.is_zero()) continue;
    if (structure_.is_symmetric()) {
      if (c > 0)
        kernels::extend_add<T>(tile.part(0, rows, 0, c, tile_), tile.is_lower, row_map, col_map,
                               StaircaseView<T>{panel.data, front.order(), front.order()});
      continue;
    }
    if (r > 0) kernels::extend_add_transposed<T>(tile.part(0, r, 0, cols, tile_), row_map, col_map, panel);
    if (r < rows && c > 0)
      kernels::extend_add<T>(tile.part(r, rows, 0, c, tile_), row_map + r, col_map,
                             counted_from(front.lower(), front.summed, 0));
  }
}

/// The map counts from the first row of the border.
template <class T>
void Assembler<T>::add_border_tiles(const Front<T>& front, const Contribution<T>& child, Index q) {
  for (const ContributionTile<T>& tile : child.tiles) {
    const Index rows = tile.rows(), cols = tile.cols();
    const Index r = std::clamp<Index>(q - tile.top, 0, rows), c = std::clamp<Index>(q - tile.left, 0, cols);
    if (tile.is_zero() || r == rows || c == cols) continue;
    kernels::extend_add<T>(tile.part(r, rows, c, cols, tile_), tile.is_lower, map_.data() + tile.top + r,
                           map_.data() + tile.left + c, front.contribution());
  }
}

OVERLAPACK_INSTANTIATE_CLASS(Assembler);

}  // namespace overlapack::sparse::multifrontal
