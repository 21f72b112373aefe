#pragma once
#include "overlapack/options.hpp"
#include "sparse/multifrontal/plan/plan.hpp"

namespace overlapack::api {

/// What the options decide of the multifrontal method.
sparse::MultifrontalPlan multifrontal_plan(const Options& options);

}  // namespace overlapack::api
