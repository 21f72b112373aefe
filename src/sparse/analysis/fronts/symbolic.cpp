#include "sparse/analysis/fronts/symbolic.hpp"

#include "overlapack/error.hpp"
#include "sparse/analysis/fronts/clusters.hpp"

#include <numeric>
#include <utility>

namespace overlapack::sparse {
namespace {

// Positions grouped by front, ascending inside each.
std::vector<Node> positions_by_front(const FrontForest& forest) {
  std::vector<Index> next(forest.fronts() + 1, 0);
  for (Node f : forest.front_of) ++next[f + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Node> sorted(forest.front_of.size());
  for (Node k = 0; k < static_cast<Node>(sorted.size()); ++k) sorted[next[forest.front_of[k]]++] = k;
  return sorted;
}

AssemblyTree sizes_only(const FrontForest& forest) {
  std::vector<Index> first_pivot{0}, row_start{0};
  for (Node f = 0; f < forest.fronts(); ++f) {
    first_pivot.push_back(first_pivot.back() + forest.pivots[f]);
    row_start.push_back(row_start.back() + forest.order[f] - forest.pivots[f]);
  }
  const Index n = first_pivot.back();
  return {.n = n,
          .first_pivot = std::move(first_pivot),
          .parent = {forest.parent.begin(), forest.parent.end()},
          .row_start = std::move(row_start),
          .row = {}};
}

}  // namespace

SymbolicFactor symbolic_factor(const QuotientGraph& quotient, const EliminationTree& tree,
                               const FrontForest& forest, Index cluster) {
  SymbolicFactor result;
  result.tree = sizes_only(forest);
  const AssemblyTree& fronts = result.tree;
  std::vector<std::int32_t> row(fronts.row_start.back());
  result.variable.reserve(fronts.n);
  std::vector<Index> next(fronts.row_start.begin(), fronts.row_start.end() - 1);
  std::vector<Node> seen_by(forest.fronts(), -1);
  // Row i of L lives in the fronts on the paths from its entries A(i, j), j < i, up to the front that eliminates i.
  std::vector<Node> by_front = positions_by_front(forest);
  if (cluster > 0) order_by_clusters(quotient, tree, forest, cluster, by_front);
  for (Node i : by_front) {
    const Node v = tree.order[i], own_front = forest.front_of[i];
    const auto number = static_cast<Node>(result.variable.size());
    for (Node u : quotient.graph.neighbours(v)) {
      for (Node f = forest.front_of[tree.position[u]]; f < own_front && seen_by[f] != i;
           f = forest.parent[f]) {
        seen_by[f] = i;
        std::iota(row.begin() + next[f], row.begin() + next[f] + quotient.weight(v), number);
        next[f] += quotient.weight(v);
      }
    }
    const auto members = quotient.members(v);
    result.variable.insert(result.variable.end(), members.begin(), members.end());
  }
  for (Node f = 0; f < forest.fronts(); ++f)
    if (next[f] != fronts.row_start[f + 1])
      throw Error(Status::internal, "a front's rows differ from its column count");
  result.tree.row = std::move(row);
  return result;
}

}  // namespace overlapack::sparse
