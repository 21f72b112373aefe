#pragma once
#include <limits>

namespace overlapack::api {

/// The thresholds of diagnose.
struct DiagnosePlan {
  /// Entries of a null vector below this share of its largest entry are rounding, and taken as zero.
  double noise = 1e-7;
  /// A vector is a proved null vector if |A v| is at most this share of |A| |v|. Such a share is rounding of entries that were computed in a
  /// few operations (rotations, sums of elements). In 300 models of each kind, planted faults had shares up to 1.4e-14, and springs and
  /// conductances that hold weakly 2.6e-13 and more.
  double proof = 100 * std::numeric_limits<double>::epsilon();
  /// rows that meet next to nothing of v are measured by this share of what they could meet
  double floor_share = 0.1;
  int most_sweeps = 12;
  double fits = 1e-5;     ///< of a motion's norm, what null vectors leave of it, so that it is one of theirs
  double uneven = 1e-12;  ///< a row is uneven where its largest entry is below this share of the median's
};

inline constexpr DiagnosePlan diagnose_plan;

}  // namespace overlapack::api
