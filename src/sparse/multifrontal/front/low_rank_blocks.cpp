#include "sparse/multifrontal/front/low_rank_blocks.hpp"

#include "base/instantiate.hpp"
#include "sparse/analysis/fronts/clusters.hpp"
#include "sparse/multifrontal/front/front.hpp"

namespace overlapack::sparse::multifrontal {

namespace {

/// Appends the bounds of the border's blocks. A block ends where a cluster ends if it has at least half a
/// cluster's rows by then, at one and a half clusters in any case, and before each cut.
void add_border(const Structure& structure, const LowRankPlan& plan, Index f, Index summed,
                std::span<const Index> cuts, std::vector<Index>& bounds) {
  const AssemblyTree& tree = structure.tree;
  const std::int32_t* rows = tree.rows(f);
  Index ancestor = tree.parent[f], cluster_end = 0;  // the first variable behind the present cluster
  for (Index i = 0; i < tree.border(f); ++i) {
    if (std::ranges::binary_search(cuts, i) && summed + i > bounds.back()) bounds.push_back(summed + i);
    const Index size = summed + i - bounds.back();
    if (rows[i] >= cluster_end) {
      if (2 * size >= plan.cluster) bounds.push_back(summed + i);
      while (rows[i] >= tree.first_pivot[ancestor + 1]) ancestor = tree.parent[ancestor];
      const Index pivots = tree.pivots(ancestor), count = cluster_count(pivots, plan.cluster);
      Index c = 1;
      while (rows[i] >= tree.first_pivot[ancestor] + cluster_start(pivots, count, c)) ++c;
      cluster_end = tree.first_pivot[ancestor] + cluster_start(pivots, count, c);
    } else if (2 * size >= 3 * plan.cluster) {
      bounds.push_back(summed + i);
    }
  }
  if (tree.border(f) > 0) bounds.push_back(summed + tree.border(f));
}

}  // namespace

bool is_large_enough(const LowRankPlan& plan, const AssemblyTree& tree, Index f) {
  return tree.order(f) >= plan.order && 2 * tree.pivots(f) >= plan.cluster;
}

Index least_tiled_border(const LowRankPlan& plan, const AssemblyTree& tree) {
  Index largest = 0;
  for (Index f = 0; f < tree.fronts(); ++f) largest = std::max(largest, tree.border(f));
  return plan.contributions
             ? std::max<Index>(1, static_cast<Index>(plan.contribution_share * static_cast<double>(largest)))
             : largest + 1;
}

double low_rank_bytes(FactorKind kind, const AssemblyTree& tree, Index f, const LowRankPlan& plan,
                      std::size_t scalar_bytes, double share) {
  const Index order = tree.order(f), pivots = tree.pivots(f), count = cluster_count(pivots, plan.cluster);
  double squares = 0, blocks = 0;
  for (Index c = 0; c < count; ++c) {
    const Index end = cluster_start(pivots, count, c + 1);
    const auto width = static_cast<double>(end - cluster_start(pivots, count, c));
    squares += width * width;
    blocks += width * static_cast<double>(order - end) * (kind == FactorKind::lu ? 2 : 1);
  }
  const double d = kind == FactorKind::ldlt ? 2 * static_cast<double>(pivots) : 0;
  return (squares + share * blocks + d) * static_cast<double>(scalar_bytes) +
         static_cast<double>(name_bytes(kind, pivots));
}

double low_rank_block_bytes(FactorKind kind, Index border, const LowRankPlan& plan, std::size_t scalar_bytes,
                            double share) {
  const auto m = static_cast<double>(border);
  const double diagonal = m * static_cast<double>(std::min(border, plan.cluster / 2));
  const double others = (m * m - diagonal) / (kind == FactorKind::lu ? 1 : 2);
  return (diagonal + share * others) * static_cast<double>(scalar_bytes);
}

RowBlocks row_blocks(const Structure& structure, const LowRankPlan& plan, Index f, Index summed,
                     std::span<const Index> cuts) {
  const Index pivots = structure.tree.pivots(f), delayed = summed - pivots;
  const Index count = cluster_count(pivots, plan.cluster);
  RowBlocks blocks{.bounds = {0}};
  if (2 * delayed >= plan.cluster) blocks.bounds.push_back(delayed);
  for (Index c = 1; c <= count; ++c) blocks.bounds.push_back(delayed + cluster_start(pivots, count, c));
  blocks.summed = blocks.count();
  add_border(structure, plan, f, summed, cuts, blocks.bounds);
  return blocks;
}

std::vector<kernels::Tile> block_tiles(const RowBlocks& blocks, Index panel_width, bool is_symmetric) {
  std::vector<kernels::Tile> tiles;
  const Index summed = blocks.bounds[blocks.summed];
  const auto begin_of = [&](Index b) { return blocks.bounds[b] - summed; };
  for (Index b = blocks.summed; b < blocks.count(); ++b) {
    for (Index left = begin_of(b), end; left < begin_of(b + 1); left = end) {
      end = std::min(begin_of(b + 1), (left / panel_width + 1) * panel_width);
      for (Index r = is_symmetric ? b : blocks.summed; r < blocks.count(); ++r) {
        const Index top = r == b && is_symmetric ? left : begin_of(r);
        tiles.push_back({top, left, begin_of(r + 1) - top, end - left, r == b && is_symmetric});
      }
    }
  }
  return tiles;
}

template <class T>
Attempt<T> try_to_compress(MatrixView<T> B, double limit, const LowRankPlan& plan,
                           const std::vector<T>& omega) {
  const Index m = B.rows, n = B.cols, most = most_rank(m, n, plan.worth);
  Attempt<T> attempt{.shape = {m, n}};
  if (most == 0) return attempt;
  kernels::LowRankSpace<T> space;
  const auto found = kernels::compress<T>(B, limit, most, omega, space);
  attempt.flops = kernels::compress_cost<T>(m, n, space.tried).flops;
  if (!found) return attempt;
  std::vector<Single<T>> room;
  const Index single = plan.has_single_terms ? kernels::count_terms_for_single(*found, limit) : 0;
  const kernels::LowRank<T> product = kernels::rounded_to_single(*found, single, room);
  attempt.shape = kernels::stored_shape(product);
  attempt.stored.resize(kernels::stored_bytes<T>(attempt.shape));
  kernels::store(product, attempt.stored.data());
  return attempt;
}

#define OVERLAPACK_INSTANTIATE(T) \
  template Attempt<T> try_to_compress(MatrixView<T>, double, const LowRankPlan&, const std::vector<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::sparse::multifrontal
