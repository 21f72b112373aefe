#pragma once
#include "api/dense/dense_report.hpp"
#include "api/refine/report_figures.hpp"
#include "api/run/session.hpp"
#include "api/words/option_use.hpp"
#include "dist/grid/nodes.hpp"
#include "overlapack/benchmark.hpp"

/// The common parts of runs on random dense matrices.
namespace overlapack::api {

/// The node of each rank of a session.
inline std::vector<int> gather_node_numbers(Session& session, const Options& options) {
  std::vector<int> node_of;
  session.run([&](comm::Rank& rank, int position) {
    std::vector<int> mine = dist::nodes_of(rank, options.run.ranks_per_node);
    if (position == 0) node_of = std::move(mine);
  });
  return node_of;
}

/// The report with the session's figures: engine, ranks, timeline, messages.
inline benchmark::Run run_of(Report report, Session& session, const Options& options,
                             std::span<const int> node_of) {
  benchmark::Run run{.report = std::move(report), .timeline = {}};
  session.write_team(run.report, options);
  Options runs = options;
  runs.factorization = choice_named<FactorKind>(run.report.factorization);
  run.report.unused_options = unused_options(runs, Method::dense);
  run.timeline = session.take_timeline();
  write_waits_and_messages(run.report, run.timeline);
  run.report.dense->computing_with_mate = computing_with_mate(run.timeline, node_of);
  return run;
}

}  // namespace overlapack::api
