#include "sparse/multifrontal/front/contribution_tiles.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/update/update.hpp"

#include <algorithm>
#include <cstring>

namespace overlapack::sparse::multifrontal {

namespace {

struct TileHead {
  std::int32_t top, left, rows, cols;
  std::int32_t rank, single;  ///< StoredShape
  std::int32_t is_lower;
};

/// The number of tiles and their heads, so that numbers of any type may follow.
std::size_t head_bytes(std::size_t tiles) {
  return (sizeof(std::int64_t) + tiles * sizeof(TileHead) + 15) / 16 * 16;
}

}  // namespace

template <class T>
MatrixView<const T> ContributionTile<T>::part(Index r0, Index r1, Index c0, Index c1,
                                              TileSpace<T>& space) const {
  if (of.is_full) return of.X.block(r0, c0, r1 - r0, c1 - c0);
  const kernels::LowRank<T> its =
      kernels::widened_to_own_precision(kernels::part_of(of, r0, r1 - r0, c0, c1 - c0), space.own);
  const MatrixView<T> made = kernels::work_view(space.made, r1 - r0, c1 - c0);
  kernels::gemm<T>(kernels::Op::none, kernels::Op::none, T(1), its.X, its.V, T(0), made);
  return made;
}

template <class T>
std::size_t packed_bytes(std::span<const ContributionTile<T>> tiles) {
  std::size_t bytes = head_bytes(tiles.size());
  for (const ContributionTile<T>& tile : tiles)
    bytes += kernels::stored_bytes<T>(kernels::stored_shape(tile.of));
  return bytes;
}

template <class T>
void pack(std::span<const ContributionTile<T>> tiles, std::byte* to) {
  const auto count = static_cast<std::int64_t>(tiles.size());
  std::memcpy(to, &count, sizeof count);
  auto* head = reinterpret_cast<TileHead*>(to + sizeof count);
  to += head_bytes(tiles.size());
  for (const ContributionTile<T>& tile : tiles) {
    const auto small = [](Index i) { return static_cast<std::int32_t>(i); };
    const kernels::StoredShape shape = kernels::stored_shape(tile.of);
    *head++ = {small(tile.top),   small(tile.left),    small(shape.rows), small(shape.cols),
               small(shape.rank), small(shape.single), tile.is_lower};
    kernels::store(tile.of, to);
    to += kernels::stored_bytes<T>(shape);
  }
}

template <class T>
std::vector<ContributionTile<T>> unpack_tiles(const std::byte* packed) {
  std::int64_t count = 0;
  std::memcpy(&count, packed, sizeof count);
  const auto* head = reinterpret_cast<const TileHead*>(packed + sizeof count);
  std::vector<ContributionTile<T>> tiles(static_cast<std::size_t>(count));
  packed += head_bytes(tiles.size());
  for (ContributionTile<T>& tile : tiles) {
    tile.top = head->top;
    tile.left = head->left;
    tile.is_lower = head->is_lower != 0;
    const kernels::StoredShape shape{head->rows, head->cols, head->rank, head->single};
    tile.of = kernels::stored_block<T>(packed, shape);
    packed += kernels::stored_bytes<T>(shape);
    ++head;
  }
  return tiles;
}

#define OVERLAPACK_INSTANTIATE(T)                                          \
  template struct ContributionTile<T>;                                     \
  template std::size_t packed_bytes(std::span<const ContributionTile<T>>); \
  template void pack(std::span<const ContributionTile<T>>, std::byte*);    \
  template std::vector<ContributionTile<T>> unpack_tiles(const std::byte*);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
