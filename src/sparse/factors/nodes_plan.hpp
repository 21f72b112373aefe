#pragma once
#include "overlapack/choices.hpp"
#include "overlapack/scalar.hpp"

#include <optional>

namespace overlapack::sparse {

/// Decisions of supernodal LU alone.
struct NodesPlan {
  Schedule schedule = Schedule::look_ahead;  ///< or flat, or pipelined
  int depth = 10;                            ///< block columns ahead (look_ahead)
  bool rows_ahead = true;  ///< block rows, too (look_ahead); off: they are sent in their step (paper 1)
  int grid_rows = 0, grid_cols = 0;     ///< of processes; 0: all ranks, as square as they allow
  std::optional<NodeOrder> order = {};  ///< empty: levels on more than one rank
  NodeMap map = NodeMap::cyclic;        ///< on one process all nodes are its own
  /// map subtrees: one of them takes at most this x an even share of the predicted time
  double subtree_share = 0.25;
  /// FactorPlan::perturbation 0: pivots below this x the largest entry of B (and 8 epsilon) are replaced by that
  double perturbation = 1e-13;
  /// If a pivot is below this x the largest entry of B (single precision: 32 epsilon) the rank of the matrix is not known, and
  /// fronts follow where auto chose the method. Real matrices stay above (singular_pivot).
  double sure_pivot = 1e-8;
  Index tile_rows = 256, tile_columns = 48;  ///< of a product
  Index direct_columns = 8;  ///< from so many columns on a product goes straight into its position
};

}  // namespace overlapack::sparse
