#include "sparse/analysis/symbolic.hpp"

#include "overlapack/error.hpp"

#include <numeric>

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
  AssemblyTree tree;
  tree.parent.assign(forest.parent.begin(), forest.parent.end());
  for (Node f = 0; f < forest.fronts(); ++f) {
    tree.first_pivot.push_back(tree.first_pivot.back() + forest.pivots[f]);
    tree.row_start.push_back(tree.row_start.back() + forest.order[f] - forest.pivots[f]);
  }
  tree.n = tree.first_pivot.back();
  tree.row.resize(tree.row_start.back());
  return tree;
}

}  // namespace

SymbolicFactor symbolic_factor(const QuotientGraph& quotient, const EliminationTree& tree,
                               const FrontForest& forest) {
  SymbolicFactor result;
  result.tree = sizes_only(forest);
  AssemblyTree& fronts = result.tree;
  result.variable.reserve(fronts.n);
  std::vector<Index> next(fronts.row_start.begin(), fronts.row_start.end() - 1);
  std::vector<Node> seen_by(forest.fronts(), -1);
  // Row i of L lives in the fronts on the paths from its entries A(i, j), j < i, up to the front that
  // eliminates i.
  for (Node i : positions_by_front(forest)) {
    const Node v = tree.order[i], own_front = forest.front_of[i];
    const auto number = static_cast<Node>(result.variable.size());
    for (Node u : quotient.graph.neighbours(v)) {
      for (Node f = forest.front_of[tree.position[u]]; f < own_front && seen_by[f] != i;
           f = forest.parent[f]) {
        seen_by[f] = i;
        std::iota(fronts.row.begin() + next[f], fronts.row.begin() + next[f] + quotient.weight(v), number);
        next[f] += quotient.weight(v);
      }
    }
    const auto members = quotient.members(v);
    result.variable.insert(result.variable.end(), members.begin(), members.end());
  }
  for (Node f = 0; f < forest.fronts(); ++f)
    if (next[f] != fronts.row_start[f + 1])
      throw Error(ErrorKind::internal, "symbolic", "a front's rows differ from its column count");
  return result;
}

}  // namespace overlapack::sparse
