#pragma once
#include "sparse/analysis/fronts/assembly_tree.hpp"

#include <functional>
#include <vector>

namespace overlapack::sparse {

/// A tree in which some fronts are chains of fronts, each with some of the pivots, the first of them below: it has the
/// children and the border of the whole front, with the pivots of those above in it.
struct SplitTree {
  AssemblyTree tree;
  std::vector<Index> last_of;  ///< front of the tree that was split -> the uppermost of its chain
};

/// pieces(f): the pivots of each part of front f, lowest first; they sum to pivots(f). One part: f stays as it is.
/// Source  paper 1, section 2 (splitting of the fronts of type 2)
SplitTree split_fronts(const AssemblyTree& tree, const std::function<std::vector<Index>(Index)>& pieces);

}  // namespace overlapack::sparse
