#pragma once
#include "overlapack/scalar.hpp"

namespace overlapack::sparse {

/// Decisions of the column-by-column factorisation of blocks with little fill
/// (sparse/block_triangular/columns).
struct ColumnPlan {
  Index at_once = 4096;  ///< columns between two checks of the caller's progress
  /// Threads of a process share a refactorisation that is predicted to take at least so many seconds.
  double shared_from_s = 1.5e-3;
  /// A subtree of the columns that one thread computes takes at most this x an even share of the predicted time.
  double subtree_share = 0.5;
  /// Predicted seconds: a column, each entry of its U, and each multiply-add.
  double column_s = 30e-9, entry_s = 4e-9, multiply_add_s = 0.6e-9;
  /// Columns of a node are subtracted together if that saves at least so many accesses to memory; else one
  /// after the other.
  Index joint_accesses = 16;
  /// LU with a threshold below 1: a predicted pivot is accepted down to predicted_threshold x the threshold,
  /// by default 0.001 as in KLU, since refinement recovers the accuracy, and a search costs more. A pivot of
  /// an earlier factorisation is kept down to kept_threshold x that: sums in another order change it by
  /// rounding, and a pivot that just passed must not fail with the same values.
  double predicted_threshold = 0.1, kept_threshold = 0.5;
  /// may_give_up: the caller has another method. Then L D L^T gives up if delayed pivots make its work more
  ///         than most_growth x the prediction without delays, or if variables are left without a pivot. An
  ///         entry of L, and a column that is tried, count as entry_flops each.
  bool may_give_up = false;
  double most_growth = 4, entry_flops = 100;
  /// L D L^T: as long as one of the waiting variables finds a pivot the others are tried again, at most so
  /// many times in a turn.
  int most_rounds = 3;
};

}  // namespace overlapack::sparse
