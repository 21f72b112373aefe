#include "api/iterative/stencil_run.hpp"
#include "api/machine.hpp"
#include "api/options_table.hpp"
#include "command.hpp"
#include "history_files.hpp"
#include "overlapack/error.hpp"
#include "progress_bar.hpp"
#include "report_text.hpp"
#include "trace_files.hpp"

#include <cstdio>

namespace overlapack::cli {
namespace {

struct JacobiArguments {
  Index points = 50;
  std::string boxes = "auto";
  bool is_shifted = false;
  bool flushes_subnormals = false;
  TraceFiles traces;
  HistoryFiles histories;
  bool json = false;
};

/// Those asked for, else the usable processors.
int ranks_of(const Options& options) {
  if (api::engine_name(options) != "thread" || options.ranks > 0) return options.ranks;
  return api::usable_processors();
}

int run(const JacobiArguments& a, Options options) {
  watch_interrupts();
  ProgressBar bar;
  options.run.trace = a.traces.wants_events();
  options.progress = bar.callback();
  check(options);
  if (is_root_process()) {
    a.traces.require_writable();
    a.histories.require_writable(Method::jacobi);
  }
  api::Session session(options, ranks_of(options));
  const iterative::StencilProblem problem{
      .points = a.points,
      .grid = api::mapped_grid(session, api::box_grid(a.boxes, session.ranks()), options),
      .shift = a.is_shifted ? 1.0 : 0.0,
      .flushes_subnormals = a.flushes_subnormals};
  const Report report = api::run_stencil(session, problem, options);
  bar.clear();
  if (is_root_process()) {
    a.traces.write(session.timeline(), "Jacobi, " + report.iteration->variant);
    a.histories.write(report);
    if (a.json)
      std::printf("%s\n", to_json(report).c_str());
    else
      std::fputs((jacobi_text(report) + a.traces.table(session.timeline())).c_str(), stdout);
    if (report.status != Status::ok) std::fprintf(stderr, "overlapack: %s\n", report.message.c_str());
  }
  return report.status == Status::ok ? exit_ok : exit_inaccurate;
}

}  // namespace

Command jacobi_command() {
  auto a = std::make_shared<JacobiArguments>();
  auto flags = std::make_shared<OptionFlags>();
  const double largest_grid = 4096;
  Command command{
      .name = "jacobi",
      .help = "Jacobi's method for the Laplace equation in a cube, in step or asynchronous",
      .arguments = {number_argument("--grid", "K: each rank has K x K x K points [50]", 1, largest_grid,
                                    [a](double points) { a->points = static_cast<Index>(points); }),
                    text_argument("--boxes",
                                  "how the ranks' boxes form the cube: auto, slabs, or XxYxZ [auto]",
                                  a->boxes),
                    flag("--shifted", "add 1 to the boundary and to the start", a->is_shifted),
                    flag("--flush-subnormals", "compute with subnormal numbers as zeros",
                         a->flushes_subnormals),
                    flag("--json", "print one JSON object", a->json)},
      .run = [a, flags] { return run(*a, flags->options()); },
      .is_parallel = true};
  a->traces.add_to(command.arguments);
  a->histories.add_to(command.arguments);
  flags->add_to(command.arguments, api::command_jacobi);
  return command;
}

}  // namespace overlapack::cli
