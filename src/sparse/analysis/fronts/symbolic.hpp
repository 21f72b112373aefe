#pragma once
#include "sparse/analysis/fronts/front_forest.hpp"

#include <vector>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::sparse {

/// The assembly tree and the variables in its order: variable[k] is the graph variable eliminated k-th.
struct SymbolicFactor {
  AssemblyTree tree;
  std::vector<Node> variable;
};

/// Gives the fronts of a forest their variables and rows.
/// Shapes  forest: in postorder, over the positions of `tree`; cluster: variables inside of fronts are ordered by clusters of
///         so many (order_by_clusters), 0: as in the tree
/// Cost    O(n + edges + entries of the row lists)
/// Source  row subtrees: Liu, SIMAX 11 (1990), section 3; every list comes out ascending without a sort
SymbolicFactor symbolic_factor(const QuotientGraph& quotient, const EliminationTree& tree,
                               const FrontForest& forest, Index cluster, comm::Tasks& tasks);

}  // namespace overlapack::sparse
