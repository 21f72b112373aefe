#include "api/iterative/iteration_plan.hpp"
#include "api/iterative/iteration_report.hpp"
#include "api/iterative/residual_history.hpp"
#include "api/plan/memory_limit.hpp"
#include "api/refine/report_figures.hpp"
#include "api/run/node_sum.hpp"
#include "api/run/session.hpp"
#include "api/run/stopwatch.hpp"
#include "api/words/type_names.hpp"
#include "base/public_call.hpp"
#include "comm/busy_threads.hpp"
#include "dist/grid/nodes.hpp"
#include "iterative/jacobi/stencil_block.hpp"
#include "kernels/product/flush_subnormals.hpp"
#include "overlapack/benchmark.hpp"
#include "overlapack/environment.hpp"

#include <cstdio>

namespace overlapack::api {

namespace {

/// The bytes of a rank's states: two to iterate, the recorded one and the best one, and two more for final sweeps.
double state_bytes(const iterative::StencilProblem& problem, const iterative::IterationPlan& plan) {
  const double side = static_cast<double>(problem.points + 2);
  return (plan.final_sweeps > 0 ? 6 : 4) * sizeof(double) * side * side * side;
}

void require_points(Index points) {
  constexpr Index most = 4096;
  if (points >= 1 && points <= most) return;
  throw Error(Status::bad_plan, "points is " + std::to_string(points) + "; give from 1 to " +
                                    std::to_string(most) + " on an edge of a rank's box");
}

/// The grid with its boxes distributed to the ranks as options.iteration.mapping says. The nodes are those of options.run.ranks_per_node or,
/// if it is 0, of the engine.
dist::BoxGrid mapped_grid(Session& session, dist::BoxGrid grid, const Options& options) {
  if (options.iteration.mapping == BoxMapping::ranks) return grid;
  std::vector<int> node;
  session.run([&](comm::Rank& rank, int position) {
    std::vector<int> all = dist::nodes_of(rank, options.run.ranks_per_node);
    if (position == 0) node = std::move(all);
  });
  return dist::node_boxes(grid, node);
}

/// The grid of boxes that Stencil::boxes names.
/// Source  slabs: paper 5, section 3.3
dist::BoxGrid box_grid(const std::string& text, int ranks) {
  if (text == "auto") return dist::cubic_grid(ranks);
  if (text == "slabs") return {1, 1, ranks};
  dist::BoxGrid grid;
  int read = 0;
  const bool is_grid = std::sscanf(text.c_str(), "%dx%dx%d%n", &grid.x, &grid.y, &grid.z, &read) == 3 &&
                       read == static_cast<int>(text.size()) && grid.x > 0 && grid.y > 0 && grid.z > 0;
  if (!is_grid)
    throw Error(Status::bad_plan, "boxes is \"" + text + "\"; give auto, slabs, or XxYxZ as in 2x2x1");
  if (static_cast<double>(grid.x) * grid.y * grid.z != ranks)
    throw Error(Status::bad_plan, "boxes " + text + " do not fit " + std::to_string(ranks) +
                                      " ranks; give as many boxes as ranks");
  return grid;
}

Report run_stencil(Session& session, const iterative::StencilProblem& problem, const Options& options) {
  Report report;
  Interruption interruption(options);
  iterative::IterationPlan plan = iteration_plan(options, ScalarType::float64);
  plan.is_proven = true;  // irreducible, and dominant at the boundary
  ResidualHistory history(interruption, plan.tolerance);
  iterative::require_plan(plan, session.ranks(), false);
  write_plan(report, plan, options, session.ranks());
  const double points = static_cast<double>(problem.points);
  report.n = problem.points * problem.points * problem.points * session.ranks();
  report.nnz = 7 * report.n - 2 * problem.points * problem.points *
                                  (problem.grid.x * problem.grid.y + problem.grid.y * problem.grid.z +
                                   problem.grid.x * problem.grid.z);
  report.type = name(ScalarType::float64);
  report.symmetry = name(Symmetry::symmetric);
  session.write_team(report, options);
  report.predicted_bytes = report.peak_bytes = state_bytes(problem, plan) * session.ranks();
  report.iteration->grid = std::to_string(problem.grid.x) + "x" + std::to_string(problem.grid.y) + "x" +
                           std::to_string(problem.grid.z);
  report.iteration->mapping = to_string(options.iteration.mapping);
  IterationTotals all;
  const Stopwatch watch;
  session.run([&](comm::Rank& rank, int position) {
    require_memory(options, sum_over_node(rank, state_bytes(problem, plan)), "a smaller grid",
                   {.what = "the iteration"});
    const kernels::FlushSubnormals flush(problem.flushes_subnormals);
    const iterative::StencilBlock block(problem, rank.rank());
    const iterative::IterationResult<double> result =
        iterative::iterate(rank, block, history.plan_with_recording(rank, plan));
    const IterationTotals mine = sum_over_ranks(rank, result);
    if (position == 0) all = mine;
    session.gather_record(rank, position);
  });
  report.solve_s = watch.seconds();
  add_totals(report, all, true);
  report.true_residual = all.residual;
  report.iteration->history = history.points();
  report.flops = 6 * points * points * points * static_cast<double>(all.iterations());
  write_waits_and_messages(report, session.timeline());
  BadEnds ends;
  ends.add(all);
  set_status_by_true_residual(report, Method::jacobi, ends, plan);
  return report;
}

/// The number of ranks: the option's; if it is 0, the processors that other calls leave free.
int stencil_ranks(const Options& options) {
  if (ranks_are_processes(options) || options.ranks > 0) return options.ranks;
  return comm::count_free_processors();
}

}  // namespace
}  // namespace overlapack::api

namespace overlapack {

benchmark::Run benchmark::stencil(const Stencil& stencil, const Options& options) {
  return public_call(call::benchmark, [&]() -> benchmark::Run {
    api::check_options_together(options);
    api::require_points(stencil.points);
    api::Session session(options, api::stencil_ranks(options));
    const iterative::StencilProblem problem{
        .points = stencil.points,
        .grid = api::mapped_grid(session, api::box_grid(stencil.boxes, session.ranks()), options),
        .shift = stencil.is_shifted ? 1.0 : 0.0,
        .flushes_subnormals = stencil.flushes_subnormals};
    Report report = api::run_stencil(session, problem, options);
    return {std::move(report), session.take_timeline()};
  });
}

}  // namespace overlapack
