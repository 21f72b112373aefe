#pragma once
#include <limits>

namespace overlapack::api {

/// Decisions of diagnose.
struct DiagnosePlan {
  /// Of a null vector in the units of its largest entry: entries below are rounding of those that are not zero.
  double noise = 1e-7;
  /// A share of |A| |v| up to here is rounding of entries that were computed in some operations (rotations, sums of elements). In 300
  /// models each, planted faults left up to 1.4e-14, springs and conductances that hold weakly 2.6e-13 and more.
  double proof = 100 * std::numeric_limits<double>::epsilon();
  double floor_share =
      0.1;  ///< rows that meet next to nothing of v are measured by this share of what they could meet
  int most_sweeps = 12;
  double fits = 1e-5;     ///< of a motion's norm, what null vectors leave of it, so that it is one of theirs
  double uneven = 1e-12;  ///< a row is uneven where its largest entry is below this share of the median's
};

inline constexpr DiagnosePlan diagnose_plan;

}  // namespace overlapack::api
