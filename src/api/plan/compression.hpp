#pragma once
#include "api/words/option_use.hpp"
#include "overlapack/options.hpp"

/// Fronts with blocks of low rank (docs/low-rank.md).
namespace overlapack::sparse {
struct LowRankPlan;
}

namespace overlapack::api {

/// Check that no option excludes compression.
/// Errors  BadPlan
void require_compressible(const Options& options);

/// The plan by which fronts with numbers of this type are compressed.
/// Errors  BadPlan: the tolerance is below the type's rounding
sparse::LowRankPlan low_rank_plan(const Options& options, ScalarType type);

}  // namespace overlapack::api
