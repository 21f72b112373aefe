#pragma once
#include "sparse/factors/entry_store.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/factor_stats.hpp"

namespace overlapack::sparse {

/// Ends the run where pivots tell that the matrix is singular, and keeps the smallest.
template <class T>
class PivotCheck {
 public:
  /// method: as errors name it
  PivotCheck(const char* method, const EntryStore<T>& entries, const FactorPlan& plan, FactorStats& stats)
      : method_(method), entries_(entries), plan_(plan), stats_(stats) {}

  /// A pivot of which only rounding is left makes the matrix singular, although its inverse could be taken.
  /// size: of the pivot in magnitude; row, col: its names
  /// Errors  Singular
  void check(double size, std::int32_t row, std::int32_t col);
  /// `left` variables, of n, to which the end came without a pivot.
  /// Errors  Singular if there are any
  void check_left(Index left, Index n) const;

 private:
  const char* method_;
  const EntryStore<T>& entries_;
  const FactorPlan& plan_;
  FactorStats& stats_;
};

}  // namespace overlapack::sparse
