#include "api/iterative/jacobi_report.hpp"

#include "comm/collective/collective.hpp"
#include "kernels/operand.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace overlapack::api {

template <class T>
JacobiTotals totals(comm::Rank& rank, const iterative::JacobiResult<T>& result) {
  const auto most = [](Index a, Index b) { return std::max(a, b); };
  std::array<Index, 3> extremes{result.iterations, -result.iterations, result.halo.largest_batch};
  std::array<Index, 3> sums{result.iterations, result.halo.sends, result.halo.skipped_sends};
  comm::collective::all_reduce(rank, std::span<Index>(extremes), most);
  comm::collective::all_reduce(rank, std::span<Index>(sums), std::plus<>());
  return {.residual = result.residual,
          .has_converged = result.has_converged,
          .has_diverged = result.has_diverged,
          .iterations_min = -extremes[1],
          .iterations_max = extremes[0],
          .iterations_sum = static_cast<double>(sums[0]),
          .looks = result.looks,
          .snapshots = result.snapshots,
          .sends = sums[1],
          .skipped_sends = sums[2],
          .largest_batch = extremes[2]};
}

void describe(Report& report, const iterative::JacobiPlan& plan) {
  report.method = "jacobi";
  report.jacobi.emplace();
  report.jacobi->variant = iterative::variant_names[static_cast<std::size_t>(plan.variant)];
  report.jacobi->in_flight = plan.in_flight;
  report.jacobi->halo_period = plan.halo_period;
  report.jacobi->tolerance = plan.tolerance;
}

void take(Report& report, const JacobiTotals& t, bool is_first) {
  JacobiFigures& j = *report.jacobi;
  if (is_first) {
    report.true_residual = 0;
    report.iterations_min = t.iterations_min;
    report.iterations_max = 0;
    report.iterations_mean = 0;
    report.right_hand_sides = 0;
    j.looks = j.snapshots = j.sends = j.skipped_sends = j.largest_batch = 0;
  }
  const double columns = static_cast<double>(report.right_hand_sides++);
  report.true_residual = std::max(report.true_residual, t.residual);
  report.iterations_min = std::min(report.iterations_min, t.iterations_min);
  report.iterations_max = std::max(report.iterations_max, t.iterations_max);
  report.iterations_mean =
      (report.iterations_mean * columns + t.iterations_sum / report.ranks) / (columns + 1);
  j.looks += t.looks;
  j.snapshots += t.snapshots;
  j.sends += t.sends;
  j.skipped_sends += t.skipped_sends;
  j.largest_batch = std::max(j.largest_batch, t.largest_batch);
  const double iterations = report.iterations_mean * (columns + 1) * report.ranks;
  j.sends_per_iteration = iterations > 0 ? static_cast<double>(j.sends) / iterations : 0;
}

void judge_iteration(Report& report, bool has_diverged) {
  report.status = Status::ok;
  report.message.clear();
  if (report.true_residual <= report.jacobi->tolerance) return;
  report.status = Status::not_converged;
  char text[240];
  std::snprintf(text, sizeof text,
                "%s: the best residual is %.3g after %.0f iterations, the tolerance %.3g; %s",
                has_diverged ? "Jacobi's method diverges" : "Jacobi's method did not converge",
                report.true_residual, report.iterations_mean, report.jacobi->tolerance,
                has_diverged ? "use method multifrontal"
                             : "raise max_iterations or tolerance, or use method multifrontal");
  report.message = text;
}

std::function<void(Index, double)> progress_of(Interruption& interruption, double tolerance) {
  return [&interruption, tolerance](Index, double residual) {
    const double way = -std::log(std::max(tolerance, 1e-300));
    const double share = residual > 0 && way > 0 ? -std::log(residual) / way : 1;
    interruption.check("iteration", std::clamp(share, 0.0, 1.0));
  };
}

#define INSTANTIATE(T) template JacobiTotals totals(comm::Rank&, const iterative::JacobiResult<T>&);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::api
