#pragma once
#include "sparse/factors/column_plan.hpp"
#include "sparse/factors/multifrontal_plan.hpp"
#include "sparse/factors/nodes_plan.hpp"

namespace overlapack::sparse {

/// Decisions of the numerical phase: those of all methods, then those of each.
struct FactorPlan {
  /// u: a pivot is at least u times the largest entry of its row (LDL^T: column)
  double pivot_threshold = 0.01;
  /// A pivot below this share of the largest entries of its row and column in the scaled matrix (single precision: below
  /// 32 epsilon) is rounding. Real matrices stay above 1e-8, singular ones of some thousand unknowns leave 1e-16 to 1e-13.
  double singular_pivot = 2e-13;
  /// A pivot that is rounding is kept, and one that is zero becomes zero_pivot x the largest entry of its row and column; both are
  /// counted, and solves judge the result. true: they end the run instead.
  bool refuses_rounding = false;
  double zero_pivot = 1e-8;  ///< single precision: 3e-4
  /// A singular matrix is factorised all the same: pivots below null_pivot x the largest entry of B (single precision: below
  /// 1000 epsilon) are delayed to the roots, and what is left there counts as null. Half way, in decimals, between what real
  /// matrices and what singular ones leave.
  bool keeps_null_pivots = false;
  double null_pivot = 2e-11;
  double null_threshold = 0.1;  ///< pivot_threshold is at least this then: growth would hide what is null
  /// Static pivoting where a front stays on one rank: what fails the threshold is taken all the same, as long as it is at
  /// least perturbation (and 2 singular_pivot) x the largest entry of B, and else replaced by that. 0: such pivots are delayed.
  double perturbation = 0;
  /// Quasi-definite matrices: a pivot that is below sign_least x the largest entry of its row (single precision: 64 epsilon)
  /// becomes sign_replacement x that entry (single precision: 2500 epsilon), or perturbation x it where that is set; one of the wrong
  /// sign is turned round, and is then at least that; sign_shift x the entry is added to each. sign_least is 2 singular_pivot: smaller pivots would count as rounding.
  double sign_least = 4e-13, sign_replacement = 1e-8, sign_shift = 0;
  double accuracy_with_signs =
      1e-10;  ///< a larger backward error of theirs is inaccurate, and gets GMRES first
  int steps_after_perturbation = 10;  ///< refinement takes at least this many where pivots were perturbed
  /// x is in doubt where last digits change it by more than this share of what a replaced pivot lets them.
  double share_of_replaced = 0.01;
  /// Work above this is done in pieces of at most so many flops (while their edges are 32 or more): bytes move between them,
  /// and other ranks may take some. Infinity: no kernel is cut.
  double slice_flops = 4e7;
  Index rhs_block = 32;  ///< right-hand sides that are solved for together

  MultifrontalPlan fronts;
  ColumnPlan columns;
  NodesPlan nodes;
};

}  // namespace overlapack::sparse
