#pragma once
#include "comm/rank.hpp"
#include "kernels/low_rank/low_rank.hpp"
#include "kernels/update/update.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/multifrontal/plan/structure.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace overlapack::sparse::multifrontal {

/// Would front f of this tree be compressed if one rank had all of it?
bool is_large_enough(const LowRankPlan& plan, const AssemblyTree& tree, Index f);

/// The least border with which the contribution block of such a front waits in tiles.
Index least_tiled_border(const LowRankPlan& plan, const AssemblyTree& tree);

/// What the factors of such a front take, without what children delayed.
/// share: that compression leaves of the blocks behind the squares of pivots, 0 to 1
double low_rank_bytes(FactorKind kind, const AssemblyTree& tree, Index f, const LowRankPlan& plan,
                      std::size_t scalar_bytes, double share);

/// The same of its contribution block while it waits in tiles; those at the diagonal stay as they are,
/// and have half a cluster at the least.
double low_rank_block_bytes(FactorKind kind, Index border, const LowRankPlan& plan, std::size_t scalar_bytes,
                            double share);

/// The rows of a front in blocks, each (nearly) those of one cluster of the front or of one above.
struct RowBlocks {
  std::vector<Index> bounds;  ///< places where a block begins, and the end
  Index summed = 0;           ///< so many blocks are fully summed

  Index count() const { return static_cast<Index>(bounds.size()) - 1; }
  /// The block that begins at this position.
  Index first_from(Index position) const {
    return std::lower_bound(bounds.begin(), bounds.end(), position) - bounds.begin();
  }
};

/// summed: with what children delayed, which is in the first block, or in one before it where it is much
/// cuts: border rows at which a block begins in any case, as strips do
RowBlocks row_blocks(const Structure& structure, const LowRankPlan& plan, Index f, Index summed,
                     std::span<const Index> cuts = {});

/// Tiles of C, whose rows are in one block, as are its columns; symmetric: of its lower part, each in one of its panels.
std::vector<kernels::Tile> block_tiles(const RowBlocks& blocks, Index panel_width, bool is_symmetric);

/// From which rank on a product is not worth it.
inline Index most_rank(Index rows, Index cols, double worth) {
  return static_cast<Index>(worth * static_cast<double>(kernels::break_even_rank(rows, cols)));
}

/// So many signs at the least, always the same ones.
template <class T>
void grow_signs(std::vector<T>& signs, Index count) {
  if (static_cast<Index>(signs.size()) < count) signs = kernels::random_signs<T>(count);
}

/// What became of a block.
template <class T>
struct Attempt {
  kernels::StoredShape shape;  ///< full: a product is not worth it
  std::vector<std::byte> stored = {};
  double flops = 0;

  bool is_product() const { return shape.rank >= 0; }
  kernels::LowRank<T> block() const { return kernels::stored_block<T>(stored.data(), shape); }
};

/// B, which is overwritten, as a product, if one is worth it; else nothing is stored.
template <class T>
Attempt<T> try_to_compress(MatrixView<T> B, double limit, const LowRankPlan& plan,
                           const std::vector<T>& omega);

/// The pieces of a work one after the other; with helpers they are slices of that rank, between which bytes move and of which others
/// may take some.
template <class F>
void in_slices(comm::Rank* helpers, const comm::Work& work, std::size_t count, F&& f) {
  if (helpers != nullptr) return helpers->run_slices(work, count, f);
  for (std::size_t i = 0; i < count; ++i) f(i);
}

/// C -= A D B^T  (B^H where conj)
template <class T>
struct Product {
  kernels::LowRank<T> A = {}, B = {};
  MatrixView<T> C = {};
  bool is_lower = false;  ///< only the lower triangle of C counts

  double flops() const { return kernels::low_rank_cost(A, B).flops * (is_lower ? 0.5 : 1); }
  void subtract(const kernels::Middle<T>& D, bool conj, kernels::LowRankSpace<T>& space) const {
    kernels::subtract_product<T>(A, D, B, conj, is_lower, space, C);
  }
};

}  // namespace overlapack::sparse::multifrontal
