#pragma once
#include "overlapack/scalar.hpp"

#include <algorithm>
#include <cstddef>

namespace overlapack::api {

/// The decisions about batches, each made here once.
struct BatchPlan {
  /// Systems whose elimination has more multiply-adds are factorised each by itself, since fronts are faster then.
  double most_products = 3e6;
  /// A common pivot is accepted in a system if it is at least kept_share x pivot_threshold x (the largest entry of its row). Refinement
  /// recovers the accuracy, and a system that fails costs as much as hundreds that pass.
  double kept_share = 0.1;
  /// a step of refinement that leaves more than this share of all errors is the last one
  double slowest = 0.5;
  /// The size of the part of work that a thread takes at once, in multiply-adds of each lane (about a tenth of a millisecond), or in numbers
  /// that are read or copied.
  double part_products = 2e4, part_numbers = 1e5;
  double share_of_groups = 0.5;  ///< the share of systems in lanes in the progress of a factorisation
  /// After so many parts of a thread, some milliseconds, the caller is asked whether to stop.
  Index parts_per_round = 64;

  /// products: the number of multiply-adds of one system
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
