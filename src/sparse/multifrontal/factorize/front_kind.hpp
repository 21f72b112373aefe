#pragma once
#include "overlapack/scalar.hpp"

namespace overlapack::sparse {

/// Fronts of one kind in the walk up the tree: whole on their owner (WholeFronts), with their border rows in strips
/// (DistributedFronts), or dealt over a grid of all ranks (GridRoot). A task has fronts of one kind.
class FrontKind {
 public:
  virtual ~FrontKind() = default;
  /// All that the fronts of a task of mine wait for is here: assemble and eliminate them, and what they leave sets out.
  /// Returns whether that is done; if not, jobs go on with it and the last one completes the task
  virtual bool start(Index task) = 0;
};

/// What the owner of a front has of it and adds to it himself; all else lives with other ranks and travels to them in pieces.
struct OwnerPart {
  bool has_panel = true;      ///< its fully summed rows, or columns
  bool has_lower = true;      ///< L21 of LU
  bool takes_blocks = true;   ///< C and delayed columns of children
  bool takes_delayed = true;  ///< the other numbers of what children delayed
};

}  // namespace overlapack::sparse
