#pragma once
#include "api/iterative/inner_solvers.hpp"
#include "api/run/interruption.hpp"
#include "comm/rank.hpp"
#include "iterative/driver/iterate.hpp"
#include "overlapack/report.hpp"

#include <numeric>
#include <vector>

namespace overlapack::api {

/// What all ranks did together for one right-hand side.
struct IterationSums : IterationCounters, InnerCounters {
  double residual = 0;
  bool has_diverged = false;
};
struct IterationTotals : IterationSums {
  std::vector<Index> iterations_of_rank, batches;

  Index iterations() const { return std::reduce(iterations_of_rank.begin(), iterations_of_rank.end()); }
};

/// Collective.
template <class T>
IterationTotals totals(comm::Rank& rank, const iterative::IterationResult<T>& result, Index inner_steps = 0);
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
void judge_iteration(Report& report, Method method, bool has_diverged);

}  // namespace overlapack::api
