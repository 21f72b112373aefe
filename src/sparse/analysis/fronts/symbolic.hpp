#pragma once
#include "sparse/analysis/fronts/front_forest.hpp"

#include <vector>

namespace overlapack::comm {
class Tasks;
}

namespace overlapack::sparse {

/// The assembly tree, and the variables in its order: variable[k] is the graph variable that is eliminated k-th.
struct SymbolicFactor {
  AssemblyTree tree;
  std::vector<Node> variable;
};

/// Symbolic factorisation: find the variables and the rows of each front of a forest.
/// forest: in postorder, over the positions of `tree`; cluster: the variables of a front are ordered by clusters of about so many variables
/// (order_by_clusters); 0: as in the tree
/// Cost    O(n + edges + entries of the row lists)
/// Source  row subtrees: Liu, SIMAX 11 (1990), section 3; every list comes out ascending without a sort
SymbolicFactor symbolic_factor(const QuotientGraph& quotient, const EliminationTree& tree,
                               const FrontForest& forest, Index cluster, comm::Tasks& tasks);

}  // namespace overlapack::sparse
