#pragma once
#include "sparse/supernodal/layout/border_lists.hpp"
#include "sparse/supernodal/layout/node_grid.hpp"
#include "sparse/supernodal/layout/solve_lists.hpp"

#include <cstdint>
#include <vector>

namespace overlapack::sparse::supernodal {

/// Nodes that one grid eliminates, with variables renumbered.
struct LayoutPart {
  NodeGrid nodes;
  SolveLists lists;
  std::vector<std::int32_t> variable;  ///< number -> variable of B; ascending up to the border
};

/// Which rank has which nodes and entries, and the contents of messages: one rank's view, made from the lists
/// alone, before there are numbers.
struct SupernodalLayout {
  int me;
  LayoutPart subtrees;  ///< this rank's own, on a grid of one process, and their border
  LayoutPart top;       ///< the nodes above all subtrees, on the grid of all processes
  /// Variable of B -> its node in `top`, or -1 - r if it is in a subtree of rank r.
  std::vector<std::int32_t> home;
  BorderLists border;

  /// Without nodes, until for_each_array fills it from a file.
  SupernodalLayout(dist::ProcessGrid grid, int me);
  /// structure: nodes in postorder, owner: subtree_owners; is_by_levels: distributed nodes are eliminated by levels
  SupernodalLayout(const NodeStructure& structure, std::span<const std::int32_t> owner, bool is_by_levels,
                   dist::ProcessGrid grid, int me);

  /// Owner of variable v of B.
  int owner_of(std::int32_t v) const { return home[v] < 0 ? -1 - home[v] : top.nodes.owner(home[v]); }
  /// Owner of B(i, j).
  int owner_of(std::int32_t i, std::int32_t j) const {
    if (home[j] < 0) return -1 - home[j];
    return home[i] < 0 ? -1 - home[i] : top.nodes.owner(home[i], home[j]);
  }

  /// Visits each array once, for packing and unpacking.
  template <class AnyLayout, class Visit>
  static void for_each_array(AnyLayout& layout, Visit&& visit) {
    for (auto* const part : {&layout.subtrees, &layout.top}) {
      NodeGrid::for_each_array(part->nodes, visit);
      for (auto* const half : {&part->lists.lower, &part->lists.upper}) {
        visit(half->start);
        visit(half->giver);
        visit(half->last);
      }
      visit(part->variable);
    }
    visit(layout.home);
    for (auto* const side : {&layout.border.sent, &layout.border.received}) {
      visit(side->piece_start);
      visit(side->variable_start);
      visit(side->piece);
      visit(side->variable);
    }
    visit(layout.border.position);
  }
};

}  // namespace overlapack::sparse::supernodal
