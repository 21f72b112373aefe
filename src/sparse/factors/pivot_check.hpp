#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/factor_stats.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <algorithm>

namespace overlapack::sparse {

/// Ends the run where pivots tell that the matrix is singular, and keeps the smallest.
template <class T>
class PivotCheck {
 public:
  /// method: as errors name it
  PivotCheck(const char* method, const EntryStore<T>& entries, const FactorPlan& plan, FactorStats& stats)
      : method_(method),
        entries_(entries),
        plan_(plan),
        stats_(stats),
        least_(plan.keeps_null_pivots ? 0 : singular_share<T>(plan)) {}

  /// A pivot of which only rounding is left makes the matrix singular, although its inverse could be taken.
  /// size: of the pivot in magnitude; row, col: its names
  /// Errors  Singular
  void check(double size, std::int32_t row, std::int32_t col) {
    const double expected = std::min(entries_.row_size()[static_cast<std::size_t>(row)],
                                     entries_.col_size()[static_cast<std::size_t>(col)]);
    stats_.smallest_pivot = std::min(stats_.smallest_pivot, size / expected);
    if (size < least_ * expected) refuse(size / expected);
  }
  /// `left` variables, of n, to which the end came without a pivot.
  /// Errors  Singular if there are any
  void check_left(Index left, Index n) const;

 private:
  [[noreturn]] void refuse(double share) const;

  const char* method_;
  const EntryStore<T>& entries_;
  const FactorPlan& plan_;
  FactorStats& stats_;
  double least_;  ///< share
};

}  // namespace overlapack::sparse
