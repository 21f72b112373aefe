#pragma once
#include "overlapack/options.hpp"
#include "sparse/factors/factor_plan.hpp"

namespace overlapack::api {

/// What the options decide of the multifrontal method.
sparse::FactorPlan factor_plan(const Options& options);

}  // namespace overlapack::api
