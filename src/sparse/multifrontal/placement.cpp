#include "sparse/multifrontal/placement.hpp"

#include "dist/mapping/tree_mapping.hpp"
#include "overlapack/error.hpp"
#include "sparse/analysis/front_cost.hpp"
#include "sparse/multifrontal/strips.hpp"

#include <algorithm>
#include <utility>

namespace overlapack::sparse {

Index choose_grid_root(const Analysis& analysis, const RootPlan& plan, int ranks, bool is_distributing) {
  const AssemblyTree& tree = analysis.tree;
  if (plan.root == RootParallelism::grid && analysis.kind == FactorKind::ldlt)
    throw Error(ErrorKind::bad_plan, "multifrontal",
                "a root on a grid has LU or Cholesky, but the matrix is factorised as LDL^T, whose inertia and 2x2 pivots "
                "need a root on one rank; set root to sequential, or factorization to lu");
  if (plan.block < 1) throw Error(ErrorKind::bad_plan, "multifrontal", "the blocks of a root on a grid have order 1 or more");
  if (ranks == 1 || tree.fronts() == 0 || plan.root == RootParallelism::sequential) return -1;
  Index largest = -1;
  for (Index f = 0; f < tree.fronts(); ++f)
    if (tree.parent[f] < 0 && (largest < 0 || tree.pivots(f) > tree.pivots(largest))) largest = f;
  if (plan.root == RootParallelism::grid) return largest;
  return is_distributing && analysis.kind != FactorKind::ldlt && tree.pivots(largest) >= plan.least_order ? largest : -1;
}

Placement place_fronts(comm::Rank& rank, const Analysis& analysis, const MultifrontalPlan& plan) {
  const AssemblyTree& tree = analysis.tree;
  const StripPlan& strips = plan.strips;
  const bool is_distributing =
      strips.fronts == NodeParallelism::strips ||
      (strips.fronts == NodeParallelism::automatic && !rank.capabilities().shared_memory);
  const Index grid_root = choose_grid_root(analysis, plan.root, rank.size(), is_distributing);
  std::vector<double> seconds = front_seconds(tree, analysis.kind);
  if (grid_root >= 0) seconds[grid_root] = 0;  // the same for all
  const auto map = [&] { return dist::map_tree(tree.parent, seconds, rank.size(), plan.mapping); };
  dist::TreeMapping mapping = map();
  std::vector<char> in_strips(seconds.size(), 0);
  if (rank.size() == 1 || !is_distributing) return {std::move(mapping.owner), std::move(in_strips), grid_root};
  for (Index f = 0; f < tree.fronts(); ++f) {
    const double flops = front_flops(analysis.kind, tree.order(f), tree.pivots(f));
    in_strips[f] = mapping.subtree_of[f] < 0 && flops >= strips.least_flops &&
                   tree.border(f) >= std::max<Index>(1, strips.least_border);
    if (in_strips[f]) seconds[f] *= 1 - strip_flops(analysis.kind, tree, f) / flops;
  }
  return {map().owner, std::move(in_strips), grid_root};
}

}  // namespace overlapack::sparse
