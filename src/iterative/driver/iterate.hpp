#pragma once
#include "comm/rank.hpp"
#include "iterative/driver/block.hpp"
#include "iterative/driver/halo.hpp"
#include "iterative/driver/plan.hpp"

namespace overlapack::iterative {

/// Counters: of this rank; halo_period_mean: N, the last one where it was found on the way.
template <class T>
struct IterationResult : HaloCounts {
  State<T> x;           ///< this rank's part of the vector that is returned
  double residual = 0;  ///< ||b - A x||_2 / ||b||_2 of that vector; the absolute norm where b is zero
  bool has_converged = false;
  bool has_diverged = false;
  Index iterations = 0;  ///< of this rank
};

/// Local steps, again and again, until ||b - A x||_2 <= tolerance ||b||_2 holds for the vector that is returned, until it
/// grows beyond plan.divergence times the smallest residual so far, or until the ranks have done max_iterations on the
/// average (async, racy: noticed some iterations later). Otherwise the best vector whose residual is known is returned.
/// Shapes  block: my rows
/// Sync    collective; sync: in step with the neighbours at every halo swap, with all every residual_period iterations;
///         async, racy: only at the beginning and at the end
/// Cost    an iteration is one step of the block; a look at the residual reads the state once more
/// Errors  BadPlan for in_flight or halo_period < 0, residual_period < 1, racy complex numbers, a slow rank that does not exist
/// Source  paper 5, sections 2, 3.1 and, for steps other than Jacobi's, 6.4
template <class T>
IterationResult<T> iterate(comm::Rank& rank, const Block<T>& block, const IterationPlan& plan);

/// Errors  BadPlan, as iterate
void require_plan(const IterationPlan& plan, int ranks, bool is_complex);

}  // namespace overlapack::iterative
