#pragma once
#include "api/words/option_use.hpp"
#include "overlapack/options.hpp"
#include "sparse/factors/factor_plan.hpp"

/// Fronts with blocks of low rank (docs/low-rank.md).
namespace overlapack::api {

/// Errors  BadPlan: compression, and something that is not done with it
void require_compressible(const Options& options);

/// How fronts are compressed whose numbers have this type.
/// Errors  BadPlan: a tolerance below what the type can tell
sparse::LowRankPlan low_rank_plan(const Options& options, ScalarType type);

}  // namespace overlapack::api
