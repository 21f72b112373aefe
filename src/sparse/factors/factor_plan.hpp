#pragma once
#include "sparse/factors/column_plan.hpp"
#include "sparse/factors/multifrontal_plan.hpp"
#include "sparse/factors/nodes_plan.hpp"

namespace overlapack::sparse {

/// Decisions of the numerical phase: those of all methods, then those of each.
struct FactorPlan {
  /// u: a pivot is at least u times the largest entry of its row (LDL^T: column).
  double pivot_threshold = 0.01;
  /// A pivot below this share of the largest entries of its row and column in the scaled matrix (single precision: below
  /// 32 epsilon) is rounding. Real matrices stay above 1e-8, singular ones of some thousand unknowns leave 1e-16 to 1e-13.
  double singular_pivot = 2e-13;
  /// A pivot that is rounding is kept, and one that is zero becomes zero_pivot x the largest entry of its row and column; both are
  /// counted, and solves judge the result. true: they end the run instead.
  bool refuses_rounding = false;
  double zero_pivot = 1e-8;  ///< single precision: 3e-4
  /// keeps_null_pivots: a singular matrix is factorised nevertheless. Pivots below null_pivot x the largest
  ///         entry of B (single precision: 1000 epsilon x it) are delayed to the roots, and variables that
  ///         are left there are null pivots. The default is half way, in decimals, between what real matrices
  ///         and what singular ones leave.
  bool keeps_null_pivots = false;
  double null_pivot = 2e-11;
  double null_threshold = 0.1;  ///< with null pivots the least pivot_threshold, since growth would hide them
  /// Static pivoting, for fronts on one rank: a pivot that fails the threshold is taken nevertheless if it is
  /// at least max(perturbation, 2 singular_pivot) x the largest entry of B, and is else replaced by that. 0:
  /// such pivots are delayed.
  double perturbation = 0;
  /// Quasi-definite matrices, whose signs of pivots are known; e is the largest entry of the pivot's row.
  /// sign_shift x e is added to each pivot, with its sign. A pivot below sign_least x e (single precision: 64
  /// epsilon x e) then becomes sign_replacement x e (single precision: 2500 epsilon x e), or perturbation x e
  /// if that is set. A pivot of the wrong sign is turned round, and is then at least that. sign_least is 2
  /// singular_pivot, since smaller pivots would count as rounding.
  double sign_least = 4e-13, sign_replacement = 1e-8, sign_shift = 0;
  /// With such pivots, unless the caller sets an accuracy: a larger backward error is inaccurate, and gets
  /// GMRES.
  double accuracy_with_signs = 1e-10;
  int steps_after_perturbation = 10;  ///< refinement takes at least this many steps if pivots were perturbed
  /// x is in doubt where last digits change it by more than this share of what a replaced pivot lets them.
  double share_of_replaced = 0.01;
  /// Larger work is done in slices of at most so many flops (while their edges are 32 or more): the rank
  /// polls between slices, and other ranks may take some. Infinity: no kernel is cut.
  double slice_flops = 4e7;
  Index rhs_block = 32;  ///< right-hand sides that are solved for together

  MultifrontalPlan fronts;
  ColumnPlan columns;
  NodesPlan nodes;
};

}  // namespace overlapack::sparse
