#pragma once
#include "overlapack/scalar.hpp"

#include <cstdint>

namespace overlapack::sparse {

/// How the substitution in a large front is cut into blocks, which threads may share
/// (multifrontal::FrontSweep).
struct SweepPlan {
  Index least_entries = Index{1} << 17;  ///< pivots x order of a front in blocks: a megabyte
  /// Threads share the substitution in a front if its pivots x order are at least this x a thread's even part
  /// of those of all fronts; a smaller front does not hold up the others.
  double least_share = 0.5;
  Index blocks = 8;  ///< a front has at least so many blocks of pivots before these grow
  Index least_pivots = 64, most_pivots = 128;  ///< pivots of a block
  Index rows = 512;                            ///< of a block without pivots
  Index most_steps = 8;                        ///< products of a task
  std::uint64_t shuffle = 0;                   ///< as TilePlan::shuffle
};

}  // namespace overlapack::sparse
