#include "sparse/multifrontal/front/contribution_tiles.hpp"

#include "kernels/gemm.hpp"

#include <algorithm>
#include <complex>
#include <cstring>

namespace overlapack::sparse {

namespace {

struct TileHead {
  std::int32_t top, left, rows, cols;
  std::int32_t rank;  ///< full: -1
  std::int32_t is_lower;
};

/// The number of tiles and their heads, so that numbers of any type may follow.
std::size_t head_bytes(std::size_t tiles) {
  return (sizeof(std::int64_t) + tiles * sizeof(TileHead) + 15) / 16 * 16;
}

/// Columns without gaps between them.
template <class T>
T* append(MatrixView<const T> from, T* to) {
  for (Index j = 0; j < from.cols; ++j) to = std::copy_n(from.column(j), from.rows, to);
  return to;
}

}  // namespace

template <class T>
MatrixView<const T> ContributionTile<T>::part(Index r0, Index r1, Index c0, Index c1,
                                              std::vector<T>& room) const {
  if (of.is_full) return of.X.block(r0, c0, r1 - r0, c1 - c0);
  const MatrixView<T> made = kernels::work_view(room, r1 - r0, c1 - c0);
  const Index rank = of.X.cols;
  kernels::gemm<T>(kernels::Op::none, kernels::Op::none, T(1), of.X.block(r0, 0, r1 - r0, rank),
                   of.V.block(0, c0, rank, c1 - c0), T(0), made);
  return made;
}

template <class T>
std::size_t packed_bytes(std::span<const ContributionTile<T>> tiles) {
  Index entries = 0;
  for (const ContributionTile<T>& tile : tiles) entries += tile.of.entries();
  return head_bytes(tiles.size()) + static_cast<std::size_t>(entries) * sizeof(T);
}

template <class T>
void pack(std::span<const ContributionTile<T>> tiles, std::byte* to) {
  const auto count = static_cast<std::int64_t>(tiles.size());
  std::memcpy(to, &count, sizeof count);
  auto* head = reinterpret_cast<TileHead*>(to + sizeof count);
  T* numbers = reinterpret_cast<T*>(to + head_bytes(tiles.size()));
  for (const ContributionTile<T>& tile : tiles) {
    const auto small = [](Index i) { return static_cast<std::int32_t>(i); };
    *head++ = {small(tile.top),
               small(tile.left),
               small(tile.rows()),
               small(tile.cols()),
               tile.of.is_full ? -1 : small(tile.of.X.cols),
               tile.is_lower};
    numbers = append<T>(tile.of.X, numbers);
    if (!tile.of.is_full) numbers = append<T>(tile.of.V, numbers);
  }
}

template <class T>
std::vector<ContributionTile<T>> unpack_tiles(const std::byte* packed) {
  std::int64_t count = 0;
  std::memcpy(&count, packed, sizeof count);
  const auto* head = reinterpret_cast<const TileHead*>(packed + sizeof count);
  std::vector<ContributionTile<T>> tiles(static_cast<std::size_t>(count));
  const T* numbers = reinterpret_cast<const T*>(packed + head_bytes(tiles.size()));
  for (ContributionTile<T>& tile : tiles) {
    tile.top = head->top;
    tile.left = head->left;
    tile.is_lower = head->is_lower != 0;
    tile.of = kernels::block_at(numbers, head->rows, head->cols, head->rank);
    numbers += tile.of.entries();
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

}  // namespace overlapack::sparse
