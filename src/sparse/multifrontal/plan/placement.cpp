#include "sparse/multifrontal/plan/placement.hpp"

#include "dist/mapping/tree_mapping.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/fronts/front_cost.hpp"
#include "sparse/analysis/fronts/split_fronts.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/multifrontal/plan/strips.hpp"
#include "sparse/multifrontal/plan/task_cuts.hpp"

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

/// Bisection: the largest s in [0, order) with fits(s). fits(0) is true, and beyond the first s that does not
/// fit none does.
template <class Fits>
Index last_that_fits(Index order, Fits&& fits) {
  Index low = 0, high = order;
  while (high - low > 1) {
    const Index middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

/// The most pivots of a front of this order with which its owner does at most 1 / ranks of the work; its
/// strips do the rest.
Index most_pivots(FactorKind kind, Index order, int ranks) {
  return last_that_fits(order, [&](Index s) {
    const double all = front_flops(kind, order, s);
    const double strips = strip_flops(kind, static_cast<double>(s), static_cast<double>(order - s));
    return (all - strips) * ranks <= all;
  });
}

/// The fewest pivots with which the elimination of a front of this order takes `flops` or more.
Index least_pivots(FactorKind kind, Index order, double flops) {
  return 1 + last_that_fits(order, [&](Index s) { return front_flops(kind, order, s) < flops; });
}

/// Cuts a front into a chain: the number of pivots of each link, the lowest link first. Each link but the
/// last, which is the top, is large enough to be distributed.
std::vector<Index> chain_of(FactorKind kind, Index order, Index pivots, int ranks, const StripPlan& plan) {
  std::vector<Index> chain;
  for (;;) {
    const Index part = std::max(
        {plan.chain_pivots, most_pivots(kind, order, ranks), least_pivots(kind, order, plan.least_flops)});
    if (pivots < part + plan.chain_pivots || order - part < plan.border) break;
    chain.push_back(part);
    pivots -= part;
    order -= part;
  }
  chain.push_back(pivots);
  return chain;
}

/// Do several ranks save time? They can share the work on a large front, and they can work on different
/// subtrees. A tree that is hardly more than a path of small fronts offers neither.
bool is_worth_sharing(const AssemblyTree& tree, std::span<const int> owner, std::span<const double> seconds,
                      int ranks, FactorKind kind, const FactorPlan& plan) {
  for (Index f = 0; f < tree.fronts(); ++f)
    if (front_flops(kind, tree.order(f), tree.pivots(f)) > plan.slice_flops) return true;
  const double alone = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  return dist::postorder_makespan(tree.parent, seconds, owner, ranks) <=
         (1 - plan.fronts.mapping.least_gain) * alone;
}

/// The size up to which a subtree is one task. It does not depend on the number of ranks, so that the tasks
/// do not either.
double leaf_flops(std::span<const double> flops, const MultifrontalPlan& plan) {
  const double all = std::accumulate(flops.begin(), flops.end(), 0.0);
  const double least = std::min(plan.least_leaf_flops, plan.most_leaf_share * all);
  return std::min(plan.leaf_flops, std::max(least, plan.leaf_share * all));
}

/// The owner of each whole front. Tasks are mapped, not fronts: they are those of one rank, and none is
/// divided. So the ranks add the same numbers in the same order, however many there are.
std::vector<int> map_tasks(const Placement& placement, std::span<const double> seconds, int ranks,
                           const dist::MappingPlan& plan) {
  const std::vector<Index>& task_front = placement.task_front;
  const std::size_t tasks = task_front.size() - 1;
  std::vector<Index> task_of(seconds.size()), parent(tasks, -1);
  std::vector<double> task_seconds(tasks, 0);
  for (std::size_t t = 0; t < tasks; ++t)
    for (Index f = task_front[t]; f < task_front[t + 1]; ++f) {
      task_of[f] = static_cast<Index>(t);
      task_seconds[t] += seconds[f];
    }
  for (std::size_t t = 0; t < tasks; ++t)
    if (const Index above = placement.tree.parent[task_front[t + 1] - 1]; above >= 0)
      parent[t] = task_of[above];
  const dist::TreeMapping mapping = dist::map_tree(parent, task_seconds, ranks, plan);
  std::vector<int> owner(seconds.size());
  for (std::size_t f = 0; f < owner.size(); ++f)
    owner[f] = mapping.owner[static_cast<std::size_t>(task_of[f])];
  return owner;
}

/// owner: as for cut_into_tasks, but a root on the grid may still have its owner: here it becomes -1
void cut_tasks_of(Placement& placement, std::span<const double> flops, const TaskSizes& sizes,
                  std::vector<int> owner) {
  if (placement.grid_root >= 0) owner[static_cast<std::size_t>(placement.grid_root)] = -1;
  placement.task_front = cut_into_tasks(placement.tree, flops, sizes, owner);
}

std::vector<double> seconds_of_fronts(const Placement& placement, const Analysis& analysis) {
  std::vector<double> seconds = front_seconds(placement.tree, analysis.kind, analysis.cost);
  if (placement.grid_root >= 0) seconds[placement.grid_root] = 0;  // all ranks have the same part of it
  return seconds;
}

/// Places each front on one rank; a root on the grid also has an owner.
void place_whole(Placement& placement, const Analysis& analysis, int ranks, const FactorPlan& plan,
                 bool is_distributed) {
  const std::vector<double> flops = flops_of_fronts(placement.tree, analysis.kind);
  placement.in_strips.assign(flops.size(), 0);
  placement.owner.assign(flops.size(), 0);
  cut_tasks_of(placement, flops, {leaf_flops(flops, plan.fronts), true}, placement.owner);
  if (ranks == 1) return;
  const std::vector<double> seconds = seconds_of_fronts(placement, analysis);
  std::vector<int> owner = map_tasks(placement, seconds, ranks, plan.fronts.mapping);
  if (is_distributed || placement.grid_root >= 0 ||
      is_worth_sharing(placement.tree, owner, seconds, ranks, analysis.kind, plan))
    placement.owner = std::move(owner);
}

/// Puts the border rows of large fronts above the one-rank subtrees in strips, after long fronts were cut
/// into chains.
void place_in_strips(Placement& placement, const Analysis& analysis, int ranks, const FactorPlan& plan) {
  const StripPlan& strips = plan.fronts.strips;
  const FactorKind kind = analysis.kind;
  const auto map = [&](const std::vector<double>& seconds) {
    return dist::map_tree(placement.tree.parent, seconds, ranks, plan.fronts.mapping);
  };
  std::vector<double> seconds = seconds_of_fronts(placement, analysis);
  dist::TreeMapping mapping = map(seconds);
  const auto is_large = [&](Index f) {
    const AssemblyTree& tree = placement.tree;
    return mapping.subtree_of[f] < 0 &&
           front_flops(kind, tree.order(f), tree.pivots(f)) >= strips.least_flops;
  };
  if (strips.chain_pivots > 0) {
    SplitTree split = split_fronts(placement.tree, [&](Index f) -> std::vector<Index> {
      const AssemblyTree& tree = placement.tree;
      if (!is_large(f) || f == placement.grid_root) return {tree.pivots(f)};
      return chain_of(kind, tree.order(f), tree.pivots(f), ranks, strips);
    });
    placement.chain_links = split.tree.fronts() - placement.tree.fronts();
    if (placement.grid_root >= 0) placement.grid_root = split.last_of[placement.grid_root];
    placement.tree = std::move(split.tree);
    seconds = seconds_of_fronts(placement, analysis);
    mapping = map(seconds);
  }
  placement.in_strips.assign(seconds.size(), 0);
  const AssemblyTree& tree = placement.tree;
  for (Index f = 0; f < tree.fronts(); ++f) {
    if (!is_large(f) || tree.border(f) < std::max<Index>(1, strips.border)) continue;
    placement.in_strips[f] = 1;
    seconds[f] *= 1 - strip_flops(kind, tree, f) / front_flops(kind, tree.order(f), tree.pivots(f));
  }
  placement.owner = map(seconds).owner;
  std::vector<int> owner = placement.owner;
  for (Index f = 0; f < tree.fronts(); ++f)
    if (placement.in_strips[f]) owner[f] = -1;
  cut_tasks_of(placement, flops_of_fronts(tree, kind), {plan.fronts.leaf_flops, false}, std::move(owner));
}

}  // namespace

Placement place_fronts(comm::Rank& rank, const Analysis& analysis, const FactorPlan& plan,
                       bool is_distributed) {
  const int ranks = rank.size();
  const auto& sharing = plan.fronts.strips.sharing;
  const bool is_distributing =
      sharing == NodeParallelism::strips || (!sharing && !rank.capabilities().shared_memory);
  Placement placement;
  placement.tree = analysis.tree;
  placement.grid_root = choose_grid_root(analysis, plan.fronts.root, ranks, is_distributing);
  if (ranks > 1 && is_distributing)
    place_in_strips(placement, analysis, ranks, plan);
  else
    place_whole(placement, analysis, ranks, plan, is_distributed);
  return placement;
}

}  // namespace overlapack::sparse::multifrontal
