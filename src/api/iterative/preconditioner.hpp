#pragma once
#include "overlapack/options.hpp"

namespace overlapack::api {

/// Check that the options name a preconditioner that exists.
/// Errors  BadPlan: a coarse level or weights without an accelerator, with Jacobi's method, or out of step; cg with anything other than
///         blocks in step whose weights are the same before and after the solve
void require_preconditioner(const Options& options);

}  // namespace overlapack::api
