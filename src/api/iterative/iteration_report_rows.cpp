#include "api/iterative/iteration_report.hpp"
#include "api/report_field.hpp"
#include "api/report_rows.hpp"

namespace overlapack::api {
namespace {

using nlohmann::ordered_json;

ordered_json history(const std::vector<ResidualPoint>& points) {
  ordered_json list = ordered_json::array();
  for (const ResidualPoint& p : points)
    list.push_back({p.iteration, number_json(p.seconds), number_json(p.residual), p.is_true});
  return list;
}

}  // namespace

std::vector<ReportEntry> iteration_rows() {
  using C = IterationCounts;
  const auto at = report_fields_of(&Report::iteration);
  return rows_of(
      Part::iteration, {Method::jacobi, Method::multisplitting},
      {
          {.name = "variant", .field = at(&IterationFigures::variant), .help = "sync, async, racy"},
          {.name = "in_flight", .field = at(&IterationFigures::in_flight), .help = "as given; 0: chosen"},
          {.name = "most_in_flight",
           .field = at(&IterationFigures::most_in_flight),
           .help = "most messages on their way to one neighbour (async)",
           .over = Over::most,
           .counters = {counted<C>(&C::most_in_flight)}},
          {.name = "halo_period", .field = at(&IterationFigures::halo_period), .help = "as given; 0: chosen"},
          {.name = "halo_period_mean",
           .field = at(&IterationFigures::halo_period_mean),
           .help = "at the end",
           .over = Over::mean,
           .counters = {counted<C>(&C::halo_period_mean)}},
          {.name = "residual_sum",
           .field = at(&IterationFigures::residual_sum),
           .help = "tree, doubling; empty: sync"},
          {.name = "mapping",
           .field = at(&IterationFigures::mapping),
           .help = "of the boxes of a grid: ranks, nodes; empty for a matrix"},
          {.name = "tolerance", .field = at(&IterationFigures::tolerance), .help = "as given"},
          {.name = "grid",
           .field = at(&IterationFigures::grid),
           .help = "boxes of points: 2x2x1; empty for a matrix"},
          {.name = "radius.lower",
           .field = at(&IterationFigures::radius_lower),
           .help = "encloses the spectral radius of |D^-1 (L + U)| with the next",
           .may_be_null = true},
          {.name = "radius.upper",
           .field = at(&IterationFigures::radius_upper),
           .help = "the other bound",
           .may_be_null = true},
          {.name = "warning",
           .field = at(&IterationFigures::warning),
           .help = "one sentence where convergence is not known in advance"},
          {.name = "looks",
           .field = at(&IterationFigures::looks),
           .help = "global residuals on the way",
           .counters = {counted<C>(&C::looks)}},
          {.name = "snapshots",
           .field = at(&IterationFigures::snapshots),
           .help = "recorded vectors whose true residual was computed while iterating",
           .counters = {counted<C>(&C::snapshots)}},
          {.name = "sends",
           .field = at(&IterationFigures::sends),
           .help = "of a halo to a neighbour",
           .over = Over::sum,
           .counters = {counted<C>(&C::sends)}},
          {.name = "skipped_sends",
           .field = at(&IterationFigures::skipped_sends),
           .help = "because the channel was full",
           .over = Over::sum,
           .counters = {counted<C>(&C::skipped_sends)}},
          {.name = "sends_per_iteration",
           .field = at(&IterationFigures::sends_per_iteration),
           .help = "of a rank",
           .over = Over::mean,
           .may_be_null = true},
          {.name = "largest_batch",
           .field = at(&IterationFigures::largest_batch),
           .help = "most halos of one neighbour between two receives (async)",
           .over = Over::most,
           .counters = {counted<C>(&C::largest_batch)}},
          {.name = "slices",
           .field = at(&IterationFigures::slices),
           .help = "of local steps",
           .over = Over::sum,
           .counters = {counted<C>(&C::slices)}},
          {.name = "slices_by_others",
           .field = at(&IterationFigures::slices_by_others),
           .help = "of these, run by workers and waiting ranks of the same process",
           .over = Over::sum,
           .counters = {counted<C>(&C::slices_by_others)}},
          {.name = "history",
           .field = {.type = "list", .json = [](const Report& r) { return history(r.iteration->history); }},
           .help = "of the last right-hand side: iteration of rank 0, seconds since the iteration began, "
                   "residual, and "
                   "whether it is that of one vector; of a long iteration every second, fourth, ... look"},
          {.name = "iterations_of_rank",
           .field = at(&IterationFigures::iterations_of_rank),
           .help = "of the last right-hand side; by block where a block has several ranks"},
          {.name = "batches",
           .field = at(&IterationFigures::batches),
           .help = "receives to which 1, 2, 3, ... halos had come; the 64th: that many or more (async)"},
      });
}

std::vector<ReportEntry> multisplitting_rows() {
  const auto at = report_fields_of(&Report::iteration);
  return rows_of(
      Part::blocks, {Method::multisplitting},
      {
          {.name = "inner", .field = at(&IterationFigures::inner), .help = "direct, cg"},
          {.name = "overlap",
           .field = at(&IterationFigures::overlap),
           .help = "layers of the matrix's graph"},
          {.name = "damping",
           .field = at(&IterationFigures::damping),
           .help = "share of a step that is taken"},
          {.name = "block_rows",
           .field = at(&IterationFigures::block_rows),
           .help = "of the largest block, with its overlap",
           .over = Over::most,
           .counters = {counted<BlockTotals>(&BlockTotals::block_rows)}},
          {.name = "inner_steps",
           .field = at(&IterationFigures::inner_steps),
           .help = "of conjugate gradients, all blocks",
           .over = Over::sum,
           .counters = {counted<IterationCounts>(&IterationCounts::inner_steps)}},
          {.name = "ranks_per_block", .field = at(&IterationFigures::ranks_per_block), .help = "as given"},
          {.name = "group_solves",
           .field = at(&IterationFigures::group_solves),
           .help = "solves with a block by several ranks, all blocks",
           .over = Over::sum},
      });
}

}  // namespace overlapack::api
