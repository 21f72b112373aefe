#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>

namespace overlapack::sparse {

/// How threads share the substitution in one front.
struct SweepPlan {
  /// They do in fronts with so many pivots x order (a megabyte), and with this share of one thread's even part of all fronts': what is less
  /// does not hold up the others.
  Index least_entries = Index{1} << 17;
  double least_share = 0.5;
  Index blocks = 8;                            ///< of pivots at least, before these grow
  Index least_pivots = 64, most_pivots = 128;  ///< of a block
  Index rows = 512;                            ///< of a block without pivots
  Index most_steps = 8;                        ///< products of a task
  std::uint64_t shuffle = 0;                   ///< as TilePlan::shuffle
};

}  // namespace overlapack::sparse
