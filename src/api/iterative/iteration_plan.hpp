#pragma once
#include "iterative/driver/plan.hpp"
#include "overlapack/options.hpp"

namespace overlapack::api {

/// What the options say of an iteration, whatever its local step.
iterative::IterationPlan iteration_plan(const Options& options, ScalarType type);

}  // namespace overlapack::api
