#include "api/iterative/iteration_report.hpp"

#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace overlapack::api {

template <class T>
IterationTotals totals(comm::Rank& rank, const iterative::IterationResult<T>& result, Index inner_steps) {
  const auto most = [](Index a, Index b) { return std::max(a, b); };
  std::array<Index, 4> extremes{result.iterations, -result.iterations, result.halo.largest_batch,
                                result.halo.most_in_flight};
  std::array<Index, 7> sums{result.iterations,  result.halo.sends, result.halo.skipped_sends, inner_steps,
                            result.halo_period, result.slices,     result.slices_by_others};
  std::vector<Index> of_rank(static_cast<std::size_t>(rank.size()), 0);
  of_rank[static_cast<std::size_t>(rank.rank())] = result.iterations;
  std::vector<Index> batches(result.halo.batches.begin(), result.halo.batches.end());
  comm::collective::all_reduce(rank, std::span<Index>(extremes), most);
  comm::collective::all_reduce(rank, std::span<Index>(sums), std::plus<>());
  comm::collective::all_reduce(rank, std::span<Index>(of_rank), std::plus<>());
  comm::collective::all_reduce(rank, std::span<Index>(batches), std::plus<>());
  while (!batches.empty() && batches.back() == 0) batches.pop_back();
  IterationTotals all;
  static_cast<IterationCounts&>(all) = {.residual = result.residual,
                                        .has_converged = result.has_converged,
                                        .has_diverged = result.has_diverged,
                                        .iterations_min = -extremes[1],
                                        .iterations_max = extremes[0],
                                        .iterations_sum = static_cast<double>(sums[0]),
                                        .looks = result.looks,
                                        .snapshots = result.snapshots,
                                        .sends = sums[1],
                                        .skipped_sends = sums[2],
                                        .largest_batch = extremes[2],
                                        .inner_steps = sums[3],
                                        .most_in_flight = static_cast<int>(extremes[3]),
                                        .halo_period_mean = static_cast<double>(sums[4]) / rank.size(),
                                        .slices = sums[5],
                                        .slices_by_others = sums[6]};
  all.iterations_of_rank = std::move(of_rank);
  all.batches = std::move(batches);
  return all;
}

void share(iterative::BlockGroup& group, IterationTotals& totals, Index served) {
  IterationCounts& counts = totals;
  counts = comm::collective::broadcast(group.ranks(), 0, counts);
  for (std::vector<Index>* list : {&totals.iterations_of_rank, &totals.batches}) {
    const comm::Body body =
        comm::collective::broadcast(group.ranks(), 0, comm::Body::copy_of(std::span<const Index>(*list)));
    list->assign(body.as<Index>().begin(), body.as<Index>().end());
  }
  const bool counts_for_all = group.ranks().rank() == 1;  // of the group, the first that serves
  counts.group_solves =
      comm::collective::all_reduce(group.world(), counts_for_all ? served : 0, std::plus<>());
}

BlockTotals totals(comm::Rank& rank, Index block_rows, const BlockFactors& factors) {
  std::array<double, 4> sums{static_cast<double>(factors.factor_nnz), static_cast<double>(factors.fronts),
                             factors.flops, factors.peak_bytes};
  comm::collective::all_reduce(rank, std::span<double>(sums), std::plus<>());
  return {.largest_rows =
              comm::collective::all_reduce(rank, block_rows, [](Index a, Index b) { return std::max(a, b); }),
          .factor_nnz = static_cast<Index>(sums[0]),
          .fronts = static_cast<Index>(sums[1]),
          .flops = sums[2],
          .peak_bytes = sums[3]};
}

void take(Report& report, const BlockTotals& blocks) {
  report.iteration->block_rows = blocks.largest_rows;
  report.factor_nnz = blocks.factor_nnz;
  report.fronts = blocks.fronts;
  report.flops = blocks.flops;
  report.peak_bytes = blocks.peak_bytes;
}

void describe(Report& report, const iterative::IterationPlan& plan, const Options& options) {
  report.method = options.method == "auto" ? "jacobi" : options.method;
  report.iteration.emplace();
  report.iteration->variant = iterative::variant_names[static_cast<std::size_t>(plan.variant)];
  report.iteration->in_flight = plan.in_flight;
  report.iteration->halo_period = plan.halo_period;
  report.iteration->tolerance = plan.tolerance;
  if (plan.variant != iterative::Variant::sync) report.iteration->residual_sum = options.residual_sum;
  if (report.method != "multisplitting") return;
  report.iteration->inner = options.inner;
  report.iteration->overlap = options.overlap;
  report.iteration->damping = options.damping;
  report.iteration->ranks_per_block = options.ranks_per_block;
}

void take(Report& report, const IterationTotals& t, bool is_first) {
  IterationFigures& j = *report.iteration;
  if (is_first) {
    report.true_residual = 0;
    report.iterations_min = t.iterations_min;
    report.iterations_max = 0;
    report.iterations_mean = 0;
    report.right_hand_sides = 0;
    j.batches.clear();
    j.most_in_flight = 0;
    j.looks = j.snapshots = j.sends = j.skipped_sends = j.largest_batch = j.inner_steps = j.group_solves =
        j.slices = j.slices_by_others = 0;
  }
  const double columns = static_cast<double>(report.right_hand_sides++);
  const int blocks = report.ranks / j.ranks_per_block;  // those that iterate
  report.true_residual = std::max(report.true_residual, t.residual);
  report.iterations_min = std::min(report.iterations_min, t.iterations_min);
  report.iterations_max = std::max(report.iterations_max, t.iterations_max);
  report.iterations_mean = (report.iterations_mean * columns + t.iterations_sum / blocks) / (columns + 1);
  j.looks += t.looks;
  j.snapshots += t.snapshots;
  j.sends += t.sends;
  j.skipped_sends += t.skipped_sends;
  j.inner_steps += t.inner_steps;
  j.group_solves += t.group_solves;
  j.slices += t.slices;
  j.slices_by_others += t.slices_by_others;
  j.largest_batch = std::max(j.largest_batch, t.largest_batch);
  j.most_in_flight = std::max(j.most_in_flight, t.most_in_flight);
  j.halo_period_mean = t.halo_period_mean;
  j.iterations_of_rank = t.iterations_of_rank;
  j.batches.resize(std::max(j.batches.size(), t.batches.size()));
  for (std::size_t k = 0; k < t.batches.size(); ++k) j.batches[k] += t.batches[k];
  const double iterations = report.iterations_mean * (columns + 1) * blocks;
  j.sends_per_iteration = iterations > 0 ? static_cast<double>(j.sends) / iterations : 0;
}

void judge_iteration(Report& report, bool has_diverged) {
  report.status = Status::ok;
  report.message.clear();
  if (report.true_residual <= report.iteration->tolerance) return;
  report.status = Status::not_converged;
  const bool is_jacobi = report.method == "jacobi";
  char text[300];
  std::snprintf(
      text, sizeof text, "%s %s: the best residual is %.3g after %.0f iterations, the tolerance %.3g; %s%s",
      is_jacobi ? "Jacobi's method" : "multisplitting", has_diverged ? "diverges" : "did not converge",
      report.true_residual, report.iterations_mean, report.iteration->tolerance,
      !has_diverged ? "raise max_iterations or tolerance, or "
      : is_jacobi   ? ""
                    : "lower damping, change overlap or ranks, or ",
      "use method multifrontal");
  report.message = text;
}

#define OVERLAPACK_INSTANTIATE(T) \
  template IterationTotals totals(comm::Rank&, const iterative::IterationResult<T>&, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
