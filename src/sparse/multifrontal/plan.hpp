#pragma once
#include "dist/fronts/tree_walk.hpp"
#include "dist/mapping/tree_mapping.hpp"

#include <functional>

namespace overlapack::sparse {

/// Decisions of the numerical phase.
struct MultifrontalPlan {
  double pivot_threshold =
      0.01;  ///< u: a pivot is at least u times the largest entry of its row (LDL^T: column)
  /// The matrix is called singular when a pivot is below this x epsilon x the largest entry of its row or column of
  /// the scaled matrix: nothing but rounding is left of it.
  double singular_factor = 32;
  double leaf_flops = 4e6;   ///< a subtree up to this size is one task, without a poll inside
  double slice_flops = 4e7;  ///< updates above this are cut into slices that other ranks may take
  dist::MappingPlan mapping;
  dist::WalkPlan walk;
  /// Called between tasks on every rank with the share of its flops that is done; false cancels.
  std::function<bool(double)> on_progress;
};

/// What a factorisation tells of itself, summed over ranks unless it says otherwise.
struct FactorStats {
  Index pivots_delayed = 0;  ///< passed on to a parent front, each time it happened
  Index two_by_two = 0;
  Index negative_pivots = 0;  ///< negative eigenvalues of D (real symmetric and Hermitian)
  Index factor_nnz = 0;       ///< entries held for the solve
  double flops = 0;           ///< done, with delayed pivots
  Index fronts = 0;
  Index sent_contributions = 0;  ///< contribution blocks handed to another rank
  double factor_bytes = 0;       ///< of the factors, all ranks
  double peak_bytes = 0;         ///< factors, contribution blocks and blocks kept for reuse: each rank's peak, summed
};

}  // namespace overlapack::sparse
