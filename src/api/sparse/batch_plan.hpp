#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cstddef>

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
  /// Of what a thread takes at once: products of each lane, about a tenth of a millisecond, and numbers that are read or copied.
  double part_products = 2e4, part_numbers = 1e5;
  double share_of_groups = 0.5;  ///< of the factorisation, as its progress says: systems side by side
  /// Of a thread, after which the caller is asked whether to stop: some milliseconds.
  Index parts_per_round = 64;

  /// products: of a system
  Index groups_per_part(double products) const { return part_size(part_products, products); }
  Index systems_per_part(std::size_t numbers) const {
    return part_size(part_numbers, static_cast<double>(numbers));
  }

 private:
  static Index part_size(double whole, double of_each) {
    return static_cast<Index>(std::clamp(whole / std::max(of_each, 1.0), 1.0, 1e6));
  }
};

}  // namespace overlapack::api
