#pragma once
#include "overlapack/options.hpp"
#include "sparse/factors/factor_plan.hpp"

/// Fronts with blocks of low rank (docs/low-rank.md).
namespace overlapack::api {

bool is_compressing(const Options& options);

/// Errors  BadPlan: compression, and something that is not done with it
void require_compressible(const Options& options);

/// How fronts are compressed whose numbers have this type.
/// Errors  BadPlan: a tolerance below what the type can tell
sparse::LowRankPlan low_rank_plan(const Options& options, ScalarType type);

}  // namespace overlapack::api
