#pragma once
#include "overlapack/scalar.hpp"

namespace overlapack::sparse {

/// Decisions of column-by-column factors, of blocks with little fill.
struct ColumnPlan {
  Index at_once = 4096;  ///< columns between two checks of the caller's progress
  /// From so many predicted seconds on, columns whose numbers are computed anew are shared by the threads of a process.
  double shared_from_s = 1.5e-3;
  /// A subtree of the columns that one thread computes takes at most this x an even share of the predicted time.
  double subtree_share = 0.5;
  /// Predicted seconds: a column, each entry of its U, and each multiply-add.
  double column_s = 30e-9, entry_s = 4e-9, multiply_add_s = 0.6e-9;
  /// From so many saved accesses on, columns of a node are subtracted together instead of one after the other.
  Index joint_accesses = 16;
  /// LU with a threshold below 1: the predicted pivot is accepted down to this x the threshold, 0.001 by default as in KLU, since
  /// refinement recovers the accuracy, and a search costs more. A pivot known from a factorisation is kept down to kept_threshold
  /// x that: sums in another order change it by rounding, and one that just passed must not fail with the same values.
  double predicted_threshold = 0.1, kept_threshold = 0.5;
  /// L D L^T gives up once delayed pivots have made its work more than most_growth x the prediction without any, or some are left
  /// without a pivot: the caller has another method. An entry of L, and a column that is tried, count as entry_flops.
  bool may_give_up = false;
  double most_growth = 4, entry_flops = 100;
  /// L D L^T: as long as a variable that waits finds a pivot the others are tried again, at most so many times in a column.
  int most_rounds = 3;
};

}  // namespace overlapack::sparse
