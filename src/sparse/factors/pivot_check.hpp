#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <algorithm>

namespace overlapack::sparse {

struct FactorPlan;

/// Checks accepted pivots of fronts against the sizes of their rows and columns in B: counts those that are
/// rounding, or ends the run at the first (FactorPlan::refuses_rounding), and keeps the smallest.
template <class T>
class PivotCheck {
 public:
  PivotCheck(const EntryStore<T>& entries, const FactorPlan& plan, FactorStats& stats)
      : entries_(entries), plan_(plan), stats_(stats), least_(singular_share<T>(plan)) {}

  /// Checks a pivot: if it is rounding, the matrix cannot be distinguished from a singular one.
  /// size: of the pivot in magnitude; row, col: its numbers in B
  /// Errors  Singular where the plan refuses it
  void check(double size, std::int32_t row, std::int32_t col) {
    const double expected = size_of(row, col);
    stats_.smallest.replace_if_smaller({size / expected, row, col});
    if (size < least_ * expected) count(size / expected);
  }
  /// The pivot for a variable whose pivot at a root is zero.
  /// Errors  Singular where its row or column of B is zero
  Real<T> replace_zero(std::int32_t row, std::int32_t col);
  /// Are zero pivots at a root replaced?
  bool replaces_zeros() const;
  /// left: number of variables, of n, that have no pivot at the end
  /// Errors  Singular if there are any, unless null pivots are kept
  void check_left(Index left, Index n) const;

 private:
  void count(double share);
  /// The largest entry of its row or column, whichever is smaller.
  double size_of(std::int32_t row, std::int32_t col) const {
    return std::min(entries_.row_size()[static_cast<std::size_t>(row)],
                    entries_.col_size()[static_cast<std::size_t>(col)]);
  }

  const EntryStore<T>& entries_;
  const FactorPlan& plan_;
  FactorStats& stats_;
  double least_;  ///< pivots below this share of size_of are rounding
};

}  // namespace overlapack::sparse
