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
          {.name = "variant",
           .field = at(&IterationFigures::variant),
           .help = "The variant: sync, async or racy"},
          {.name = "in_flight",
           .field = at(&IterationFigures::in_flight),
           .help = "The experiment in_flight as it was given. 0: chosen by the program"},
          {.name = "halo_period",
           .field = at(&IterationFigures::halo_period),
           .help = "The experiment halo_period as it was given. 0: chosen by the program"},
          {.name = "residual_sum",
           .field = at(&IterationFigures::residual_sum),
           .help = "How residuals were summed: tree or doubling. Empty for sync"},
          {.name = "mapping",
           .field = at(&IterationFigures::mapping),
           .help = "The mapping of the boxes of a grid: ranks or nodes. Empty for a matrix"},
          {.name = "tolerance",
           .field = at(&IterationFigures::tolerance),
           .help = "The tolerance as it was given"},
          {.name = "grid",
           .field = at(&IterationFigures::grid),
           .help = "The boxes of points: 2x2x1. Empty for a matrix"},
          {.name = "radius.lower",
           .field = at(&IterationFigures::radius_lower),
           .help = "A lower bound of the spectral radius of the entries' sizes in D^-1 (L + U). Null for "
                   "blocks that precondition",
           .may_be_null = true},
          {.name = "radius.upper",
           .field = at(&IterationFigures::radius_upper),
           .help = "An upper bound of that spectral radius. Null for blocks that precondition",
           .may_be_null = true},
          {.name = "warning",
           .field = at(&IterationFigures::warning),
           .help = "One sentence if convergence is not known in advance"},
          {.name = "consecutive_rows",
           .field = at(&IterationFigures::consecutive_rows),
           .help = "Whether each rank has consecutive rows of the matrix. If not, METIS cut its graph"},
          {.name = "accelerator",
           .field = at(&IterationFigures::accelerator),
           .help = "The Krylov method that is preconditioned: gmres or cg. Empty: none"},
          {.name = "sweeps",
           .field = at(&IterationFigures::sweeps),
           .help = "The number of iterations of an application of the preconditioner. 0: there is no "
                   "preconditioner"},
          {.name = "sends_per_iteration",
           .field = at(&IterationFigures::sends_per_iteration),
           .help = "The number of messages that a rank sends in an iteration",
           .over = OverRanks::mean,
           .may_be_null = true},
          {.name = "history",
           .field = {.type = "list", .json = [](const Report& r) { return history(r.iteration->history); }},
           .help = "The residuals of the last right-hand side. Each entry has the iteration of rank 0, the "
                   "seconds since the iteration began, the residual, and whether it is that of one vector. A "
                   "long iteration keeps every second, fourth, ... entry, and the last"},
          {.name = "iterations_of_rank",
           .field = at(&IterationFigures::iterations_of_rank),
           .help = "The iterations of each rank for the last right-hand side, or of each block if a block "
                   "has several ranks"},
          {.name = "batches",
           .field = at(&IterationFigures::batches),
           .help = "The numbers of receives to which 1, 2, 3, ... halos had come (async). The 64th counts "
                   "that many or more"},
      });
}

std::vector<ReportEntry> multisplitting_rows() {
  const auto at = report_fields_of(&Report::iteration);
  return rows_of(
      Part::blocks, {Method::multisplitting},
      {
          {.name = "inner",
           .field = at(&IterationFigures::inner),
           .help = "How ranks solve with their blocks: direct, cg or ilu"},
          {.name = "overlap",
           .field = at(&IterationFigures::overlap),
           .help = "The number of layers of the matrix's graph by which blocks overlap"},
          {.name = "damping",
           .field = at(&IterationFigures::damping),
           .help = "The share of a step that is taken"},
          {.name = "block_rows",
           .field = at(&IterationFigures::block_rows),
           .help = "The number of rows of the largest block, with its overlap",
           .over = OverRanks::most},
          {.name = "ranks_per_block",
           .field = at(&IterationFigures::ranks_per_block),
           .help = "The option ranks_per_block as it was given"},
          {.name = "matrix_blocks",
           .field = at(&IterationFigures::blocks),
           .help = "The number of blocks into which the matrix was cut"},
          {.name = "weights",
           .field = at(&IterationFigures::weights),
           .help =
               "The weights of rows that blocks share, if they precondition in step: owner, both or none"},
          {.name = "coarse_unknowns",
           .field = at(&IterationFigures::coarse_unknowns),
           .help = "The number of unknowns of the coarse level. 0: there is no coarse level"},
          {.name = "raised_blocks",
           .field = at(&IterationFigures::raised_blocks),
           .help = "inner ilu: the number of blocks whose diagonal was raised, since a pivot was too small"},
      });
}

}  // namespace overlapack::api
