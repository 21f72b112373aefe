#pragma once
#include "overlapack/options.hpp"
#include "sparse/multifrontal/plan.hpp"

namespace overlapack::api {

/// The decisions of the numerical phase as options make them.
sparse::MultifrontalPlan multifrontal_plan(const Options& options);

}  // namespace overlapack::api
