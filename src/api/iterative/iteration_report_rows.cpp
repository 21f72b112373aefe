#include "api/words/report_field.hpp"
#include "api/words/report_rows.hpp"

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
  const auto at = report_fields_of(&Report::iteration);
  return rows_of(
      Part::iteration, iterative,
      {
          {.name = "variant", .field = at(&IterationFigures::variant), .help = "sync, async, racy"},
          {.name = "in_flight", .field = at(&IterationFigures::in_flight), .help = "as given; 0: chosen"},
          {.name = "halo_period", .field = at(&IterationFigures::halo_period), .help = "as given; 0: chosen"},
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
          {.name = "accelerator",
           .field = at(&IterationFigures::accelerator),
           .help = "what is preconditioned: gmres, cg; empty: nothing"},
          {.name = "sweeps",
           .field = at(&IterationFigures::sweeps),
           .help = "of an application of the preconditioner; 0: there is none"},
          {.name = "sends_per_iteration",
           .field = at(&IterationFigures::sends_per_iteration),
           .help = "of a rank",
           .over = OverRanks::mean,
           .may_be_null = true},
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
           .over = OverRanks::most},
          {.name = "ranks_per_block", .field = at(&IterationFigures::ranks_per_block), .help = "as given"},
          {.name = "matrix_blocks",
           .field = at(&IterationFigures::blocks),
           .help = "into which the matrix was cut"},
          {.name = "weights",
           .field = at(&IterationFigures::weights),
           .help = "of rows that blocks share, where they precondition in step: owner, both, none"},
          {.name = "coarse_unknowns",
           .field = at(&IterationFigures::coarse_unknowns),
           .help = "of the coarse level; 0: there is none"},
      });
}

}  // namespace overlapack::api
