#include "sparse/multifrontal/plan/placement.hpp"

#include "dist/mapping/tree_mapping.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/analysis/fronts/split_fronts.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/multifrontal/plan/strips.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace overlapack::sparse::multifrontal {

Index choose_grid_root(const Analysis& analysis, const RootPlan& plan, int ranks, bool is_distributing) {
  const AssemblyTree& tree = analysis.tree;
  if (plan.root == RootParallelism::grid && !analysis.signs.empty())
    throw Error(Status::bad_plan,
                "root is grid, where dense LU looks at no signs of pivots; set root to sequential, or "
                "factorization to ldlt");
  if (plan.block < 1) throw Error(Status::bad_plan, "the blocks of a root on a grid have order 1 or more");
  if (ranks == 1 || tree.fronts() == 0 || plan.root == RootParallelism::sequential) return -1;
  Index largest = -1;
  for (Index f = 0; f < tree.fronts(); ++f)
    if (tree.parent[f] < 0 && (largest < 0 || tree.pivots(f) > tree.pivots(largest))) largest = f;
  if (plan.root == RootParallelism::grid) return largest;
  return is_distributing && analysis.kind != FactorKind::ldlt && tree.pivots(largest) >= plan.order ? largest
                                                                                                    : -1;
}

namespace {

/// The most pivots of a front of this order for which its owner has no more than its share of the work.
Index most_pivots(FactorKind kind, Index order, int ranks) {
  const auto fits = [&](Index s) {
    const double all = front_flops(kind, order, s);
    const double strips = strip_flops(kind, static_cast<double>(s), static_cast<double>(order - s));
    return (all - strips) * ranks <= all;
  };
  Index low = 0, high = order;  // it fits at low
  while (high - low > 1) {
    const Index middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

/// Pivots of the fronts that a front becomes, lowest first.
std::vector<Index> chain_of(FactorKind kind, Index order, Index pivots, int ranks, const StripPlan& plan) {
  std::vector<Index> chain;
  for (;;) {
    const Index part = std::max(plan.chain_pivots, most_pivots(kind, order, ranks));
    if (pivots < part + plan.chain_pivots || order - part < plan.border) break;
    chain.push_back(part);
    pivots -= part;
    order -= part;
  }
  chain.push_back(pivots);
  return chain;
}

/// Do several ranks save time? They work on large fronts together, and on different subtrees: not on a tree that is hardly more than
/// a path of small fronts.
bool is_worth_sharing(const Placement& placement, std::span<const double> seconds, int ranks, FactorKind kind,
                      const FactorPlan& plan) {
  const AssemblyTree& tree = placement.tree;
  for (Index f = 0; f < tree.fronts(); ++f)
    if (front_flops(kind, tree.order(f), tree.pivots(f)) > plan.slice_flops) return true;
  const double alone = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return dist::predicted_seconds(tree.parent, seconds, placement.owner, ranks) <=
         (1 - plan.fronts.mapping.least_gain) * alone;
}

}  // namespace

Placement place_fronts(comm::Rank& rank, const Analysis& analysis, const FactorPlan& plan,
                       bool is_distributed) {
  const StripPlan& strips = plan.fronts.strips;
  const FactorKind kind = analysis.kind;
  const bool is_distributing =
      strips.sharing == NodeParallelism::strips || (!strips.sharing && !rank.capabilities().shared_memory);
  Placement placement{
      analysis.tree, {}, {}, choose_grid_root(analysis, plan.fronts.root, rank.size(), is_distributing), 0};
  if (rank.size() == 1) {
    const auto fronts = static_cast<std::size_t>(analysis.tree.fronts());
    placement.owner.assign(fronts, 0);
    placement.in_strips.assign(fronts, 0);
    return placement;
  }
  const auto map = [&](const std::vector<double>& seconds) {
    return dist::map_tree(placement.tree.parent, seconds, rank.size(), plan.fronts.mapping);
  };
  const auto seconds_of_fronts = [&] {
    std::vector<double> seconds = front_seconds(placement.tree, kind, analysis.cost);
    if (placement.grid_root >= 0) seconds[placement.grid_root] = 0;  // the same for all
    return seconds;
  };
  std::vector<double> seconds = seconds_of_fronts();
  dist::TreeMapping mapping = map(seconds);
  const auto is_large = [&](Index f) {
    const AssemblyTree& tree = placement.tree;
    return mapping.subtree_of[f] < 0 &&
           front_flops(kind, tree.order(f), tree.pivots(f)) >= strips.least_flops;
  };
  if (is_distributing && strips.chain_pivots > 0) {
    SplitTree split = split_fronts(placement.tree, [&](Index f) -> std::vector<Index> {
      const AssemblyTree& tree = placement.tree;
      if (!is_large(f) || f == placement.grid_root) return {tree.pivots(f)};
      return chain_of(kind, tree.order(f), tree.pivots(f), rank.size(), strips);
    });
    placement.chain_links = split.tree.fronts() - placement.tree.fronts();
    if (placement.grid_root >= 0) placement.grid_root = split.last_of[placement.grid_root];
    placement.tree = std::move(split.tree);
    seconds = seconds_of_fronts();
    mapping = map(seconds);
  }
  placement.in_strips.assign(seconds.size(), 0);
  if (is_distributing) {
    const AssemblyTree& tree = placement.tree;
    for (Index f = 0; f < tree.fronts(); ++f) {
      if (!is_large(f) || tree.border(f) < std::max<Index>(1, strips.border)) continue;
      placement.in_strips[f] = 1;
      seconds[f] *= 1 - strip_flops(kind, tree, f) / front_flops(kind, tree.order(f), tree.pivots(f));
    }
    mapping = map(seconds);
  }
  placement.owner = std::move(mapping.owner);
  if (!is_distributed && !is_distributing && placement.grid_root < 0 &&
      !is_worth_sharing(placement, seconds, rank.size(), kind, plan))
    std::ranges::fill(placement.owner, 0);
  return placement;
}

}  // namespace overlapack::sparse::multifrontal
