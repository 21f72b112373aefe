#pragma once
#include "comm/rank.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/convergence.hpp"
#include "iterative/driver/halo.hpp"
#include "iterative/driver/plan.hpp"

namespace overlapack::iterative {

/// Result of an iteration. The counters are this rank's; halo_period_mean is N, or the last N if it was adapted.
template <class T>
struct IterationResult : HaloCounts, Found<T> {
  Index iterations = 0;  ///< of this rank
};

/// The driver of all iterations. Repeats swaps of halos and local steps until one of the following:
/// - ||b - A x||_2 <= tolerance ||b||_2 holds for the vector returned;
/// - the residual is not finite, or, unless convergence is proven, exceeds plan.divergence times the smallest one so far;
/// - nothing better has come for long (plan.patience);
/// - the ranks have done max_iterations on average (async and racy notice it some iterations later).
/// Returns the best vector whose residual has been computed.
/// Shapes  block: my rows
/// Sync    collective; sync: in step with the neighbours at every halo swap, with all every residual_period iterations;
///         async, racy: only at the beginning and at the end
/// Cost    an iteration is one step of the block; a residual reads the state once more
/// Errors  BadPlan for in_flight or halo_period < 0, residual_period < 1, racy complex numbers, a slow rank that does not exist
/// Source  paper 5, sections 2, 3.1 and, for steps other than Jacobi's, 6.4
template <class T>
IterationResult<T> iterate(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan);

/// Does `sweeps` local steps from the start vector, without a test of the residual. In step, this is a linear operator of the
/// source.
/// Returns  the state after the last one
/// Sync    as iterate, without its sums
/// Errors  as iterate
template <class T>
State<T> sweep(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan, Index sweeps);

/// Errors  BadPlan, as iterate
void require_plan(const IterationPlan& plan, int ranks, bool is_complex);

}  // namespace overlapack::iterative
