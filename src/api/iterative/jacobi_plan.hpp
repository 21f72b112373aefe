#pragma once
#include "iterative/jacobi/plan.hpp"
#include "overlapack/options.hpp"

namespace overlapack::api {

/// What the options say of Jacobi's method.
/// Errors  BadPlan if slow_rank is neither "none" nor "RANK:FACTOR"
iterative::JacobiPlan jacobi_plan(const Options& options);

}  // namespace overlapack::api
