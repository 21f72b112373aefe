#pragma once
#include "api/iterative/inner_solvers.hpp"
#include "api/run/interruption.hpp"
#include "comm/rank.hpp"
#include "iterative/driver/iterate.hpp"
#include "overlapack/report.hpp"

#include <numeric>
#include <vector>

namespace overlapack::api {

/// Sums over all ranks for one right-hand side.
struct IterationSums : IterationCounters, InnerCounters {
  double residual = 0;
  bool has_diverged = false, has_stagnated = false;
};
struct IterationTotals : IterationSums {
  std::vector<Index> iterations_of_rank, batches;

  Index iterations() const { return std::reduce(iterations_of_rank.begin(), iterations_of_rank.end()); }
};

/// The sums of the ranks' results.  Collective.
template <class T>
IterationTotals sum_over_ranks(comm::Rank& rank, const iterative::IterationResult<T>& result,
                               Index inner_steps = 0);
/// Broadcast the leaders' totals in their groups, and add the solves of these.
/// Shapes  served: solves of the leader in which this rank took part
void send_totals_to_group(iterative::BlockGroup& group, IterationTotals& totals, Index served);

/// Fill the report from the plan, before anything runs; options.method auto is Jacobi's.
/// blocks: of the matrix
void write_plan(Report& report, const iterative::IterationPlan& plan, const Options& options, int blocks);

/// Add the totals of a right-hand side to the report's extremes and sums; residuals are not taken.
void add_totals(Report& report, const IterationTotals& totals, bool is_first);

/// The report of no right-hand side.
void write_empty_solve(Report& report);

/// How iterations ended that did not converge, all right-hand sides together.
struct BadEnds {
  bool has_diverged = false, has_stagnated = false;
  void add(const IterationSums& sums) {
    has_diverged = has_diverged || sums.has_diverged;
    has_stagnated = has_stagnated || sums.has_stagnated;
  }
};
/// Set status and message by the report's true_residual.
void set_status_by_true_residual(Report& report, Method method, const BadEnds& ends,
                                 const iterative::IterationPlan& plan);

}  // namespace overlapack::api
