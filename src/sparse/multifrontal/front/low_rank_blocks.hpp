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

/// The least border of a compressed front whose contribution block waits for its parent in tiles: a share of
/// the largest border of the tree.
Index least_tiled_border(const LowRankPlan& plan, const AssemblyTree& tree);

/// Predicted bytes of the factors of a compressed front, delayed pivots not counted. The squares of its
/// pivots stay full.
/// share: of the bytes of all other blocks, the part that compression leaves, 0 to 1
double low_rank_bytes(FactorKind kind, const AssemblyTree& tree, Index f, const LowRankPlan& plan,
                      std::size_t scalar_bytes, double share);

/// Predicted bytes of its contribution block in tiles. Tiles on the diagonal stay full; they count with half
/// a cluster's rows, the least that a block has.
double low_rank_block_bytes(FactorKind kind, Index border, const LowRankPlan& plan, std::size_t scalar_bytes,
                            double share);

/// The rows of a front in blocks, each (nearly) those of one cluster of the front or of one above.
struct RowBlocks {
  std::vector<Index> bounds;  ///< positions in the front where a block begins, and the end
  Index summed = 0;           ///< number of blocks of fully summed variables, which come first

  Index count() const { return static_cast<Index>(bounds.size()) - 1; }
  /// The block that begins at this position.
  Index first_from(Index position) const {
    return std::lower_bound(bounds.begin(), bounds.end(), position) - bounds.begin();
  }
};

/// Cuts the rows of front f into blocks.
/// summed: fully summed variables, delayed ones included; these join the first block, or are one before it
///         from half a cluster on
/// cuts: border rows at which a block begins in any case, since a strip begins there
RowBlocks row_blocks(const Structure& structure, const LowRankPlan& plan, Index f, Index summed,
                     std::span<const Index> cuts = {});

/// Cuts C into tiles. The rows of a tile are in one block, its columns in one block and in one panel of
/// `panel_width` columns. Symmetric: the tiles of the lower part.
std::vector<kernels::Tile> block_tiles(const RowBlocks& blocks, Index panel_width, bool is_symmetric);

/// The largest rank with which a product X V is kept in the place of a full block.
inline Index most_rank(Index rows, Index cols, double worth) {
  return static_cast<Index>(worth * static_cast<double>(kernels::break_even_rank(rows, cols)));
}

/// Makes at least `count` signs; they are the same in every run.
template <class T>
void grow_signs(std::vector<T>& signs, Index count) {
  if (static_cast<Index>(signs.size()) < count) signs = kernels::random_signs<T>(count);
}

/// The outcome of an attempt to compress a block.
template <class T>
struct Attempt {
  kernels::StoredShape shape;  ///< full if a product is not worth it
  std::vector<std::byte> stored = {};
  double flops = 0;

  bool is_product() const { return shape.rank >= 0; }
  kernels::LowRank<T> block() const { return kernels::stored_block<T>(stored.data(), shape); }
};

/// Compresses B to a product with an error of at most `limit` (Frobenius), if its rank is low enough
/// (most_rank); else stores nothing. B is overwritten.
template <class T>
Attempt<T> try_to_compress(MatrixView<T> B, double limit, const LowRankPlan& plan,
                           const std::vector<T>& omega);

/// Calls f(i) for i < count. Without helpers one after the other, inside the present event; with helpers as
/// slices of that rank, which polls between them and of which others may take some.
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
