#pragma once
#include "api/interruption.hpp"
#include "comm/rank.hpp"
#include "iterative/jacobi/jacobi.hpp"
#include "overlapack/report.hpp"

namespace overlapack::api {

/// What all ranks did together.
struct JacobiTotals {
  double residual = 0;
  bool has_converged = true;
  bool has_diverged = false;
  Index iterations_min = 0, iterations_max = 0;
  double iterations_sum = 0;
  Index looks = 0, snapshots = 0, sends = 0, skipped_sends = 0, largest_batch = 0;
};

/// Collective.
template <class T>
JacobiTotals totals(comm::Rank& rank, const iterative::JacobiResult<T>& result);

/// The plan, before anything runs.
void describe(Report& report, const iterative::JacobiPlan& plan);

/// Of one right-hand side after the other: extremes and sums over all of them.
void take(Report& report, const JacobiTotals& totals, bool is_first);

/// Status and message from what was taken.
void judge_iteration(Report& report, bool has_diverged);

/// How far the residual has come from 1 towards the tolerance, told to the caller.
std::function<void(Index, double)> progress_of(Interruption& interruption, double tolerance);

}  // namespace overlapack::api
