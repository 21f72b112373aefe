#pragma once
#include "api/words/option_use.hpp"
#include "overlapack/options.hpp"

/// Fronts with blocks of low rank (docs/low-rank.md).
namespace overlapack::sparse {
struct LowRankPlan;
}

namespace overlapack::api {

/// Errors  BadPlan: compression together with an option that excludes it
void require_compressible(const Options& options);

/// How fronts of numbers of this type are compressed.
/// Errors  BadPlan: a tolerance below the type's rounding
sparse::LowRankPlan low_rank_plan(const Options& options, ScalarType type);

}  // namespace overlapack::api
