#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>

namespace overlapack::api {

/// Decisions about batches.
struct BatchPlan {
  /// Systems whose elimination has more products are factorised each by itself: fronts are faster then.
  double most_products = 3e6;
  /// A pivot of the analysis passes in a system from this x pivot_threshold on: refinement recovers the accuracy, and a system that
  /// fails costs as much as hundreds that pass.
  double kept_share = 0.1;
  double slowest =
      0.5;  ///< a step of refinement that leaves more than this share of all errors is the last one
  double part_products = 2e6;  ///< of what a thread takes at once

  Index groups_a_part(double products) const {
    constexpr double least = 1;
    return static_cast<Index>(std::clamp(part_products / std::max(products, least), least, 1e6));
  }
};

}  // namespace overlapack::api
