#pragma once
#include "sparse/multifrontal/front/entries.hpp"
#include "sparse/multifrontal/front/front.hpp"
#include "sparse/multifrontal/plan/plan.hpp"

namespace overlapack::sparse {

/// Ends the run where pivots tell that the matrix is singular, and keeps the smallest.
template <class T>
class PivotCheck {
 public:
  PivotCheck(const Structure& structure, const EntryStore<T>& entries, const MultifrontalPlan& plan,
             FactorStats& stats)
      : structure_(structure), entries_(entries), plan_(plan), stats_(stats) {}

  /// A pivot of which only rounding is left makes the matrix singular, although its inverse could be taken.
  /// size: of the pivot in magnitude; row, col: its names
  /// Errors  Singular
  void check(double size, std::int32_t row, std::int32_t col);
  /// Each pivot of a front.
  void check(const Front<T>& front);
  /// `left` fully summed variables of a root without a pivot.
  /// Errors  Singular if there are any
  void check_root(Index left) const;

 private:
  const Structure& structure_;
  const EntryStore<T>& entries_;
  const MultifrontalPlan& plan_;
  FactorStats& stats_;
};

}  // namespace overlapack::sparse
