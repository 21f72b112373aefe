#pragma once
#include "overlapack/sparse_figures.hpp"

namespace overlapack::sparse {

/// The smallest pivot of a matrix.
struct SmallestPivot {
  /// Its size as a share of the largest entry of its row or column in B, whichever is smaller; supernodal: of
  /// the largest entry of B.
  double share = 1;
  Index row = -1, col = -1;  ///< in the caller's matrix; during the factorisation in B; -1: unknown

  /// Ties go to the lower column, so that the order does not matter.
  void replace_if_smaller(const SmallestPivot& other) {
    const bool is_less = other.share < share || (other.share == share && other.col < col);
    if (is_less) *this = other;
  }
};

/// Figures of a factorisation; summed over ranks, the same on every rank.
struct FactorStats : SparseFigures {
  SmallestPivot smallest;     ///< the smallest pivot of all ranks
  bool has_given_up = false;  ///< column by column: there are no factors (ColumnPlan::may_give_up)
};

}  // namespace overlapack::sparse
