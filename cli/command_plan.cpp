#include "any_matrix.hpp"
#include "command.hpp"
#include "json_output.hpp"
#include "overlapack/dispatch.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/overlapack.hpp"
#include "overlapack/pattern_analysis.hpp"
#include "problem.hpp"
#include "report_text.hpp"
#include "run_watch.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace overlapack::cli {
namespace {

struct PlanArguments {
  ProblemArguments problem;
  std::string output;
  Verbosity verbosity;
};

/// The options of a plan by the first process alone, for all processes that a launcher has started.
Options alone(Options options) {
  if (engine_name(options) == "mpi" && !options.run.engine) options.run.engine = Engine::thread;
  return options;
}

/// The report of what solve would do with A. The analysis is saved if a file is given.
template <class T>
Report planned(const PlanArguments& a, SparseMatrix<T> A, const Options& options) {
  if (a.output.empty()) return plan(std::move(A), options);
  drop_zeros(A);  // as solve does
  const PatternAnalysis analysis = analyse(std::move(A), alone(options));
  analysis.save(a.output);
  Report report = analysis.report();
  report.engine = engine_name(options);
  if (report.engine == "mpi" && launched_processes() > 0) report.ranks = launched_processes();
  return report;
}

int run_plan(const PlanArguments& a, Options options) {
  if (io::names_parts(a.problem.matrix))
    throw Error(Status::bad_plan, "a plan is made of one file; \"%r\", a file of each rank, is for solve");
  RunWatch watch(a.verbosity);
  options.progress = watch.callback();
  watch.begin("reading", a.problem.matrix);
  Problem problem = read_problem(a.problem, alone(options), [&] {
    if (!a.output.empty()) require_side_output(watch, a.output, {".analysis"}, "the analysis");
  });
  const Report report = dispatch(problem.type, [&]<class T>() {
    return planned<T>(a, io::matrix_as<T>(std::move(problem.matrix.matrix)), options);
  });
  watch.clear();
  const io::ReadFacts& facts = problem.matrix.facts;
  if (a.verbosity.json) {
    auto object = json_of(report, problem.path, problem.read_s, facts);
    object["options"] = nlohmann::ordered_json::parse(to_json(options));  // read by `solve --plan`
    print_json(std::move(object));
  } else if (a.verbosity.has_report()) {
    std::fputs(facts_text(problem.path, report, facts).c_str(), stdout);
    std::fputs(plan_text(report).c_str(), stdout);
    if (!a.output.empty()) std::printf("analysis written to %s\n", a.output.c_str());
  }
  std::fputs(problems_text(report).c_str(), stderr);
  return exit_code(report.status);
}

}  // namespace

Command plan_command() {
  auto a = std::make_shared<PlanArguments>();
  auto flags = std::make_shared<OptionFlags>();
  Command command{
      .name = "plan",
      .help = "what solve would do: ordering, ranks, flops, fill, memory",
      .arguments = {file_argument("matrix", "as for solve", a->problem.matrix, true),
                    file_argument("-o,--output",
                                  "keep the analysis in this file, NAME.analysis, for solve --analysis",
                                  a->output),
                    type_argument("plan for this type [the file's]", a->problem.type)},
      .run = [a, flags] { return run_plan(*a, flags->options()); },
      .footer = "\"options\" of what --json prints is a file for --plan of solve."};
  a->verbosity.add_to(command.arguments);
  flags->add_to(command.arguments, "plan");
  return command;
}

}  // namespace overlapack::cli
