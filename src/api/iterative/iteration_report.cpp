#include "api/iterative/iteration_report.hpp"

#include "api/words/option_use.hpp"
#include "base/each_figure.hpp"
#include "base/instantiate.hpp"
#include "comm/collective/combine_figures.hpp"
#include "overlapack/printed.hpp"

#include <algorithm>

namespace overlapack::api {

template <class T>
IterationTotals sum_over_ranks(comm::Rank& rank, const iterative::IterationResult<T>& result,
                               Index inner_steps) {
  IterationTotals all;
  static_cast<IterationCounters&>(all) = result;
  all.inner_steps = inner_steps;
  all.residual = result.residual;
  all.has_diverged = result.has_diverged;
  all.has_stagnated = result.has_stagnated;
  comm::collective::all_reduce_figures<IterationCounters>(rank, all);
  comm::collective::all_reduce_figures<InnerCounters>(rank, all);
  std::vector<Index> of_rank(static_cast<std::size_t>(rank.size()), 0);
  of_rank[static_cast<std::size_t>(rank.rank())] = result.iterations;
  std::vector<Index> batches(result.batches.begin(), result.batches.end());
  comm::collective::all_reduce(rank, std::span<Index>(of_rank), std::plus<>());
  comm::collective::all_reduce(rank, std::span<Index>(batches), std::plus<>());
  while (!batches.empty() && batches.back() == 0) batches.pop_back();
  all.iterations_of_rank = std::move(of_rank);
  all.batches = std::move(batches);
  return all;
}

void send_totals_to_group(iterative::BlockGroup& group, IterationTotals& totals, Index served) {
  IterationSums& sums = totals;
  sums = comm::collective::broadcast(group.ranks(), 0, sums);
  for (std::vector<Index>* list : {&totals.iterations_of_rank, &totals.batches}) {
    const comm::Body body =
        comm::collective::broadcast(group.ranks(), 0, comm::Body::copy_of(std::span<const Index>(*list)));
    list->assign(body.as<Index>().begin(), body.as<Index>().end());
  }
  const bool counts_for_all = group.ranks().rank() == 1;  // the first serving rank counts for its group
  totals.group_solves =
      comm::collective::all_reduce(group.world(), counts_for_all ? served : 0, std::plus<>());
}

void write_plan(Report& report, const iterative::IterationPlan& plan, const Options& options, int parts) {
  const Method method = options.method.value_or(Method::jacobi);
  report.method = to_string(method);
  report.unused_options = unused_options(options, method);
  report.iteration.emplace();
  report.iteration->variant = to_string(plan.variant);
  report.iteration->in_flight = plan.in_flight;
  report.iteration->halo_period = plan.halo_period;
  report.iteration->tolerance = plan.tolerance;
  if (plan.variant != iterative::Variant::sync) report.iteration->residual_sum = to_string(plan.residual_sum);
  if (preconditions(options)) {
    report.iteration->accelerator = to_string(accelerator_of(options));
    report.iteration->sweeps = std::max(1, options.iteration.sweeps);
  }
  if (method != Method::multisplitting) return;
  const MultisplittingOptions& blocks = options.multisplitting;
  report.iteration->inner = to_string(*blocks.inner);
  report.iteration->overlap = blocks.overlap;
  report.iteration->damping = blocks.damping;
  report.iteration->ranks_per_block = blocks.ranks_per_block;
  report.iteration->blocks = parts;
  if (preconditions(options) && plan.variant == iterative::Variant::sync)
    report.iteration->weights = to_string(weights_of(options));
}

void add_totals(Report& report, const IterationTotals& t, bool is_first) {
  IterationFigures& j = *report.iteration;
  if (is_first) {
    static_cast<IterationCounters&>(j) = {};
    static_cast<InnerCounters&>(j) = {};
    j.batches.clear();
    report.iterations_mean = 0;
    report.right_hand_sides = 0;
  }
  add<IterationCounters>(j, t);
  add<InnerCounters>(j, t);
  const auto [least, most] = t.iterations_of_rank.empty() ? std::ranges::minmax_result<Index>{}
                                                          : std::ranges::minmax(t.iterations_of_rank);
  report.iterations_min = is_first ? least : std::min(report.iterations_min, least);
  report.iterations_max = is_first ? most : std::max(report.iterations_max, most);
  const double columns = static_cast<double>(report.right_hand_sides++);
  const int blocks = report.ranks / j.ranks_per_block;  // those that iterate
  report.iterations_mean =
      (report.iterations_mean * columns + static_cast<double>(t.iterations()) / blocks) / (columns + 1);
  j.iterations_of_rank = t.iterations_of_rank;
  j.batches.resize(std::max(j.batches.size(), t.batches.size()));
  for (std::size_t k = 0; k < t.batches.size(); ++k) j.batches[k] += t.batches[k];
  const double iterations = report.iterations_mean * (columns + 1) * blocks;
  j.sends_per_iteration = iterations > 0 ? static_cast<double>(j.sends) / iterations : 0;
}

void write_empty_solve(Report& report) {
  add_totals(report, IterationTotals{}, true);
  report.right_hand_sides = 0;
}

namespace {

/// The advice for an iteration that did not converge; the message ends with a last resort.
std::string advice(bool is_jacobi, const BadEnds& ends, const iterative::IterationPlan& plan) {
  if (ends.has_stagnated && plan.is_proven) return "rounding allows no less: raise tolerance, or ";
  if (!ends.has_diverged && !ends.has_stagnated) return "raise max_iterations or tolerance, or ";
  return is_jacobi ? "" : "lower damping, change overlap or ranks, or ";
}

}  // namespace

void set_status_by_true_residual(Report& report, Method method, const BadEnds& ends,
                                 const iterative::IterationPlan& plan) {
  report.status = Status::ok;
  report.message.clear();
  // the iteration sums its last residual in another order, hence the margin
  if (report.true_residual <= (1 + 1e-3) * report.iteration->tolerance) return;
  report.status = Status::not_converged;
  const bool is_jacobi = method == Method::jacobi;
  report.message = printed("%s %s: the best residual is %.3g after %.0f iterations, the tolerance %.3g; %s%s",
                           is_jacobi ? "Jacobi's method" : "multisplitting",
                           ends.has_diverged    ? "diverges"
                           : ends.has_stagnated ? "stagnates"
                                                : "did not converge",
                           report.true_residual, report.iterations_mean, report.iteration->tolerance,
                           advice(is_jacobi, ends, plan).c_str(), "use method multifrontal");
}

#define OVERLAPACK_INSTANTIATE(T) \
  template IterationTotals sum_over_ranks(comm::Rank&, const iterative::IterationResult<T>&, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
