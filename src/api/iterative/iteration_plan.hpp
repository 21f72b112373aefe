#pragma once
#include "iterative/driver/plan.hpp"
#include "overlapack/options.hpp"

namespace overlapack::api {

/// The plan of an iteration from the options, whatever its local step.
iterative::IterationPlan iteration_plan(const Options& options, ScalarType type);

}  // namespace overlapack::api
