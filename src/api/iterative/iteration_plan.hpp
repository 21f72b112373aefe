#pragma once
#include "iterative/driver/plan.hpp"
#include "overlapack/options.hpp"

namespace overlapack::api {

/// The plan of an iteration by the options. It does not depend on the local step (Jacobi's method or blocks).
iterative::IterationPlan iteration_plan(const Options& options, ScalarType type);

}  // namespace overlapack::api
