#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>

namespace overlapack::sparse {

/// How the substitution in a large front is cut into blocks, which threads may share.
struct SweepPlan {
  Index least_entries = Index{1} << 17;  ///< pivots x order of a front in blocks: a megabyte
  /// Threads share it if that is at least this share of one thread's even part of all fronts': what is less does not hold up the others.
  double least_share = 0.5;
  Index blocks = 8;                            ///< of pivots at least, before these grow
  Index least_pivots = 64, most_pivots = 128;  ///< of a block
  Index rows = 512;                            ///< of a block without pivots
  Index most_steps = 8;                        ///< products of a task
  std::uint64_t shuffle = 0;                   ///< as TilePlan::shuffle
};

}  // namespace overlapack::sparse
