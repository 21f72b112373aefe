#pragma once
#include "api/iterative/inner_solvers.hpp"
#include "api/run/interruption.hpp"
#include "comm/rank.hpp"
#include "iterative/driver/iterate.hpp"
#include "overlapack/report.hpp"

#include <numeric>
#include <vector>

namespace overlapack::api {

/// The sums over all ranks for one right-hand side.
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
/// Broadcast each leader's totals in its group, and add the solves of the group.
/// served: the solves of the leader in which this rank took part
void send_totals_to_group(iterative::BlockGroup& group, IterationTotals& totals, Index served);

/// Write the plan into the report, before anything runs. options.method auto is Jacobi's method.
/// blocks: the number of blocks of the matrix
void write_plan(Report& report, const iterative::IterationPlan& plan, const Options& options, int blocks);

/// Add the totals of a right-hand side to the report's extremes and sums. Residuals are left out.
void add_totals(Report& report, const IterationTotals& totals, bool is_first);

/// Write the report of a solve without right-hand sides.
void write_empty_solve(Report& report);

/// How iterations that did not converge ended, over all right-hand sides.
struct BadEnds {
  bool has_diverged = false, has_stagnated = false;
  void add(const IterationSums& sums) {
    has_diverged = has_diverged || sums.has_diverged;
    has_stagnated = has_stagnated || sums.has_stagnated;
  }
};
/// Set the report's status and message by its true_residual.
void set_status_by_true_residual(Report& report, Method method, const BadEnds& ends,
                                 const iterative::IterationPlan& plan);

}  // namespace overlapack::api
