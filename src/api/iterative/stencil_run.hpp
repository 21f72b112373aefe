#pragma once
#include "api/session.hpp"
#include "iterative/jacobi/stencil_block.hpp"
#include "overlapack/report.hpp"

namespace overlapack::api {

/// The grid of boxes that a text names: "auto" as cubic as the ranks allow, "slabs" one after the other along z (paper 5,
/// section 3.3), or "XxYxZ".
/// Errors  BadPlan if it is none of these, or not as many boxes as ranks
dist::BoxGrid box_grid(const std::string& text, int ranks);

/// The same grid with its boxes dealt to the ranks as options.iteration.mapping says; nodes: those of options.run.ranks_per_node, else the
/// engine's.
/// Sync    collective over the session
/// Errors  BadPlan, as dist::node_boxes
dist::BoxGrid mapped_grid(Session& session, dist::BoxGrid grid, const Options& options);

/// Run Jacobi's method on the problem of paper 5, on all ranks of the session; the session has the record of it.
/// Errors  BadPlan, OutOfMemory before anything is allocated, Cancelled, CommFailure; what does not converge has the status not_converged
Report run_stencil(Session& session, const iterative::StencilProblem& problem, const Options& options);

}  // namespace overlapack::api
