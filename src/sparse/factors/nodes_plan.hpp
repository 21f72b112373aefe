#pragma once
#include "overlapack/choices.hpp"
#include "overlapack/scalar.hpp"

#include <optional>

namespace overlapack::sparse {

/// Decisions of supernodal LU alone.
struct NodesPlan {
  Schedule schedule = Schedule::look_ahead;  ///< or flat, or pipelined
  int depth = 10;                            ///< block columns ahead (look_ahead)
  /// Block rows ahead, too (look_ahead); false: they are sent in their step (paper 1).
  bool rows_ahead = true;
  int grid_rows = 0, grid_cols = 0;     ///< process grid; 0: all ranks, as square as possible
  std::optional<NodeOrder> order = {};  ///< empty: levels on more than one rank
  NodeMap map = NodeMap::cyclic;        ///< of no effect on one process, which has all nodes
  /// map subtrees: a subtree takes at most this x a rank's even share of the predicted time.
  double subtree_share = 0.25;
  /// Used if FactorPlan::perturbation is 0: pivots below max(this, 8 epsilon) x the largest entry of B are
  /// replaced by that.
  double perturbation = 1e-13;
  /// If a pivot is below this x the largest entry of B (single precision: 32 epsilon x it), the rank of the
  /// matrix is not known, and the multifrontal method follows if `auto` chose this one. Pivots of real
  /// matrices stay above (FactorPlan::singular_pivot).
  double sure_pivot = 1e-8;
  Index tile_rows = 256, tile_columns = 48;  ///< of a product
  /// From so many columns on, a product with contiguous positions is written straight to them.
  Index direct_columns = 8;
};

}  // namespace overlapack::sparse
