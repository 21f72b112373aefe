#include "command.hpp"
#include "history_files.hpp"
#include "json_output.hpp"
#include "overlapack/benchmark.hpp"
#include "report_text.hpp"
#include "run_watch.hpp"
#include "trace_files.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace overlapack::cli {
namespace {

struct JacobiArguments {
  benchmark::Stencil stencil;
  TraceFiles traces;
  HistoryFiles histories;
  Verbosity verbosity;
};

int run_jacobi(const JacobiArguments& a, Options options) {
  if (is_bystander(options)) return exit_ok;
  RunWatch watch(a.verbosity);
  options.run.trace = a.traces.wants_events();
  options.progress = watch.callback();
  check(options);
  if (is_root_process()) {
    a.traces.require_writable(watch);
    a.histories.require_writable(watch, Method::jacobi);
  }
  const auto [report, timeline] = benchmark::stencil(a.stencil, options);
  watch.clear();
  if (is_root_process()) {
    a.traces.write(timeline, "Jacobi, " + report.iteration->variant);
    a.histories.write(report);
    const std::string text = a.verbosity.json ? json_text(json_of(report))
                                              : (a.verbosity.is_quiet ? "" : jacobi_text(report)) +
                                                    a.traces.tables(timeline, report);
    std::fputs(text.c_str(), stdout);
    std::fputs(problems_text(report).c_str(), stderr);
  }
  return exit_code(report.status);
}

}  // namespace

Command jacobi_command() {
  auto a = std::make_shared<JacobiArguments>();
  auto flags = std::make_shared<OptionFlags>();
  const double largest_grid = 4096;
  Command command{
      .name = "jacobi",
      .help = "Jacobi's method for the Laplace equation in a cube, in step or asynchronous",
      .arguments = {count_argument("--grid", "K: each rank has K x K x K points [50]", 1, largest_grid,
                                   [a](Index points) { a->stencil.points = points; }),
                    text_argument("--boxes",
                                  "how the ranks' boxes form the cube: auto, slabs, or XxYxZ [auto]",
                                  a->stencil.boxes),
                    flag("--shifted", "add 1 to the boundary and to the start", a->stencil.is_shifted),
                    flag("--flush-subnormals", "compute with subnormal numbers as zeros",
                         a->stencil.flushes_subnormals)},
      .run = [a, flags] { return run_jacobi(*a, flags->options()); },
      .is_parallel = true};
  a->verbosity.add_to(command.arguments);
  a->traces.add_to(command.arguments);
  a->histories.add_to(command.arguments);
  flags->add_to(command.arguments, "jacobi");
  return command;
}

}  // namespace overlapack::cli
