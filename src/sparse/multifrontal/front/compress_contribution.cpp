#include "sparse/multifrontal/front/compress_contribution.hpp"

#include "base/instantiate.hpp"

#include <algorithm>
#include <span>

namespace overlapack::sparse::multifrontal {

namespace {

/// B <- a tile of C; at the diagonal its lower part, zeros above.
template <class T>
void copy_tile(const StaircaseView<T>& C, const kernels::Tile& tile, MatrixView<T> B) {
  for (Index j = 0; j < tile.cols; ++j) {
    const Index above = tile.is_diagonal ? std::min(j, tile.rows) : 0;
    const T* const from = C.column(tile.left + j) + tile.top;
    std::copy(from + above, from + tile.rows, std::fill_n(B.column(j), above, T(0)));
  }
}

/// The stored form of a tile: a product if that is worth it, else all of it. Tiles at the diagonal are not
/// tried.
template <class T>
Attempt<T> attempt_of(const StaircaseView<T>& C, const kernels::Tile& tile, double limit,
                      const LowRankPlan& plan, const std::vector<T>& omega) {
  std::vector<T> copy(static_cast<std::size_t>(tile.rows * tile.cols));
  const MatrixView<T> B{copy.data(), tile.rows, tile.cols, std::max<Index>(tile.rows, 1)};
  Attempt<T> attempt{.shape = {tile.rows, tile.cols}};
  if (!tile.is_diagonal) {
    copy_tile(C, tile, B);
    attempt = try_to_compress(B, limit, plan, omega);
  }
  if (attempt.is_product()) return attempt;
  copy_tile(C, tile, B);
  attempt.stored.resize(copy.size() * sizeof(T));
  kernels::store(kernels::full_block<T>(B), attempt.stored.data());
  return attempt;
}

template <class T>
ContributionTile<T> tile_of(const kernels::Tile& tile, const Attempt<T>& attempt) {
  return {tile.top, tile.left, tile.is_diagonal, attempt.block()};
}

}  // namespace

template <class T>
double compress_contribution(comm::Rank* helpers, const LowRankPlan& plan, bool is_symmetric,
                             const RowBlocks& blocks, double limit, std::vector<T>& omega, Ledger& ledger,
                             Front<T>& front) {
  const StaircaseView<T> C = front.contribution();
  const std::vector<kernels::Tile> tiles = block_tiles(blocks, C.n, is_symmetric);
  for (const kernels::Tile& tile : tiles)
    grow_signs(omega, tile.cols * most_rank(tile.rows, tile.cols, plan.worth));
  std::vector<Attempt<T>> attempts(tiles.size());
  std::vector<ContributionTile<T>> made;
  double flops = 0, seen = 0;  // seen: bytes of the tiles so far, in full
  std::size_t stored = 0;
  Ledger::Entry held;
  for (std::size_t first = 0, end; first < tiles.size(); first = end) {
    end = first;
    double entries = 0;
    for (; end < tiles.size() && tiles[end].left == tiles[first].left; ++end)
      entries += static_cast<double>(tiles[end].rows * tiles[end].cols);
    const Index cols = tiles[first].cols;
    in_slices(helpers,
              {"compress", kernels::compress_cost<T>(1, cols, cols / 4).flops * entries / cols, 0, C.n, cols},
              end - first, [&](std::size_t i) {
                attempts[first + i] = attempt_of(C, tiles[first + i], limit, plan, omega);
              });
    for (std::size_t i = first; i < end; ++i) {
      flops += attempts[i].flops;
      stored += attempts[i].stored.size();
      made.push_back(tile_of(tiles[i], attempts[i]));
    }
    held.set(ledger, stored);
    ledger.update_peak();
    seen += entries * sizeof(T);
    if (8 * (tiles[first].left + cols) >= C.n && static_cast<double>(stored) > plan.worth * seen)
      return flops;
  }
  const std::span<const ContributionTile<T>> all(made);
  front.block.give_back();
  front.block = HeldBlock(ledger, packed_bytes(all));
  pack(all, front.block.template as<std::byte>());
  front.low_rank->contribution = unpack_tiles<T>(front.block.template as<std::byte>());
  return flops;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                        \
  template double compress_contribution(comm::Rank*, const LowRankPlan&, bool, const RowBlocks&, double, \
                                        std::vector<T>&, Ledger&, Front<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
