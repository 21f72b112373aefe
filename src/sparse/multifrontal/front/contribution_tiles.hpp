#pragma once
#include "kernels/low_rank/low_rank.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Work space of ContributionTile::part; grows to what the largest part needs.
template <class T>
struct TileSpace {
  std::vector<T> made;  ///< the part of a product, multiplied out
  std::vector<T> own;   ///< its factors in the type's own precision
};

/// A part of a contribution block that is kept in tiles (LowRankPlan::contributions), as it is or as a product.
template <class T>
struct ContributionTile {
  Index top = 0, left = 0;  ///< its first row and column in the block
  bool is_lower = false;    ///< at the diagonal of a symmetric block: only i >= j counts
  kernels::LowRank<T> of;

  Index rows() const { return of.rows(); }
  Index cols() const { return of.cols(); }
  bool is_zero() const { return !of.is_full && of.rank() == 0; }
  /// Its rows r0..r1-1 and columns c0..c1-1. A product is multiplied out in `space`. Not for a tile that
  /// is_zero.
  MatrixView<const T> part(Index r0, Index r1, Index c0, Index c1, TileSpace<T>& space) const;
};

/// Tiles one after the other, with their sizes before them: the form in which they wait and travel.
template <class T>
std::size_t packed_bytes(std::span<const ContributionTile<T>> tiles);
/// to: room for packed_bytes(tiles)
template <class T>
void pack(std::span<const ContributionTile<T>> tiles, std::byte* to);
/// Views on what was packed, which starts at a multiple of 16 bytes.
template <class T>
std::vector<ContributionTile<T>> unpack_tiles(const std::byte* packed);

}  // namespace overlapack::sparse::multifrontal
