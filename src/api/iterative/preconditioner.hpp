#pragma once
#include "overlapack/options.hpp"

namespace overlapack::api {

/// Whether these options name a preconditioner that there is.
/// Errors  BadPlan: a coarse level or weights without an accelerator, of Jacobi's method, or out of step; cg around anything but
///         blocks in step that are alike on both sides
void require_preconditioner(const Options& options);

}  // namespace overlapack::api
