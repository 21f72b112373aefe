#pragma once
#include "sparse/analysis/columns/node_structure.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse {
struct NodesPlan;
}

namespace overlapack::sparse::supernodal {

/// Node -> the process that has its subtree and eliminates all of it without messages; -1: the node is above
/// the subtrees, on the grid. A single process has all nodes.
/// Source  Geist and Ng (dist::map_tree)
SharedList<std::int32_t> subtree_owners(const NodeStructure& structure, int processes, const NodesPlan& plan,
                                        const FrontCostModel& model);

/// Some of the nodes, with variables renumbered in order.
struct NodeSelection {
  /// The selected nodes, then the *border*: nodes of the other variables in their lists, with only these variables. Lists of the
  /// border have the variables in which products of selected nodes have entries there.
  NodeStructure structure;
  Index selected = 0;  ///< nodes before the border
  /// New number -> old number; ascending, and those of the border behind the others.
  std::vector<std::int32_t> variable;
};

/// Selects the nodes of one process; process = -1: the nodes above all subtrees, which have no border.
/// Shapes  structure: nodes in postorder, owner: subtree_owners
/// Cost    about that of copying their lists
NodeSelection select_nodes(const NodeStructure& structure, std::span<const std::int32_t> owner,
                           std::int32_t process);

}  // namespace overlapack::sparse::supernodal
