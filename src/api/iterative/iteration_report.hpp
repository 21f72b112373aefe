#pragma once
#include "api/interruption.hpp"
#include "api/iterative/inner_solvers.hpp"
#include "comm/rank.hpp"
#include "iterative/driver/iterate.hpp"
#include "overlapack/report.hpp"

namespace overlapack::api {

/// What a rank did, and what all ranks did together.
struct IterationCounts {
  double residual = 0;
  bool has_diverged = false;
  Index iterations_min = 0, iterations_max = 0, iterations_sum = 0;
  Index looks = 0, snapshots = 0, sends = 0, skipped_sends = 0, largest_batch = 0, inner_steps = 0;
  Index most_in_flight = 0;
  double halo_period_mean = 0;
  Index slices = 0, slices_by_others = 0;
  Index group_solves = 0;  ///< in which a group of ranks took part
};
struct IterationTotals : IterationCounts {
  std::vector<Index> iterations_of_rank, batches;
};

/// The blocks of a multisplitting, all ranks.
struct BlockTotals : BlockFactors {
  Index block_rows = 0;  ///< of the largest block
};

/// Collective.
template <class T>
IterationTotals totals(comm::Rank& rank, const iterative::IterationResult<T>& result, Index inner_steps = 0);
BlockTotals totals(comm::Rank& rank, Index block_rows, const BlockFactors& factors);
/// The totals of the leaders to their groups, with what these did.
/// Shapes  served: solves of the leader in which this rank took part
void share(iterative::BlockGroup& group, IterationTotals& totals, Index served);

/// The plan, before anything runs; options.method tells which iteration it is, auto being Jacobi's.
void describe(Report& report, const iterative::IterationPlan& plan, const Options& options);

/// Of one right-hand side after the other: extremes and sums over all of them, but for residuals.
void take(Report& report, const IterationTotals& totals, bool is_first);

/// Of no right-hand side.
void take_none(Report& report);

/// Status and message from what was taken, and true_residual.
void judge_iteration(Report& report, bool has_diverged);

}  // namespace overlapack::api
