#pragma once
#include "sparse/analysis/columns/node_structure.hpp"
#include "sparse/factors/factor_plan.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace overlapack::sparse::supernodal {

/// Of each node: the process that has its subtree, with no message before all of it is eliminated; -1: it is above the
/// subtrees, distributed to the grid. On one process everything is its own.
/// Source  Geist and Ng (dist::map_tree)
SharedList<std::int32_t> subtree_owners(const NodeStructure& structure, int processes, const NodesPlan& plan,
                                        const FrontCostModel& model);

/// Some of the nodes, with variables numbered anew, in their order.
struct NodeSelection {
  /// The nodes that were selected, then what their lists have of others: the *border*, in nodes that hold no more of their
  /// variables than the lists do. Lists of the border say what products of selected nodes have a position there.
  NodeStructure structure;
  Index selected = 0;  ///< nodes before the border
  std::vector<std::int32_t>
      variable;  ///< the number that each had; ascending, those of the border behind the others
};

/// The nodes of one process, or -1: those above all subtrees, which have no border.
/// Shapes  structure: nodes in postorder, owner: subtree_owners
/// Cost    about that of copying their lists
NodeSelection select_nodes(const NodeStructure& structure, std::span<const std::int32_t> owner,
                           std::int32_t process);

}  // namespace overlapack::sparse::supernodal
