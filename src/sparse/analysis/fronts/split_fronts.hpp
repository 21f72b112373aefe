#pragma once
#include "sparse/analysis/fronts/assembly_tree.hpp"

#include <functional>
#include <vector>

namespace overlapack::sparse {

/// A tree in which some fronts are replaced by chains. Each front of a chain has some of the pivots, the lowest one the first pivots. The lowest
/// front has the children of the original front; its border also contains the pivots of the fronts above it in the chain.
struct SplitTree {
  AssemblyTree tree;
  std::vector<Index> last_of;  ///< front of the tree that was split -> the uppermost of its chain
};

/// Split fronts into chains. pieces(f): the numbers of pivots of the parts of front f, lowest part first; their sum is pivots(f). A front with
/// one part stays as it is.
/// Source  paper 1, section 2 (splitting of the fronts of type 2)
SplitTree split_fronts(const AssemblyTree& tree, const std::function<std::vector<Index>(Index)>& pieces);

}  // namespace overlapack::sparse
