#include "any_matrix.hpp"
#include "command.hpp"
#include "json_output.hpp"
#include "overlapack/dispatch.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/overlapack.hpp"
#include "problem.hpp"
#include "report_text.hpp"
#include "run_watch.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace overlapack::cli {
namespace {

struct PlanArguments {
  ProblemArguments problem;
  Verbosity verbosity;
};

int run_plan(const PlanArguments& a, Options options) {
  if (engine_name(options) == "mpi" && !options.run.engine) options.run.engine = Engine::thread;
  if (io::names_parts(a.problem.matrix))
    throw Error(Status::bad_plan, "a plan is made of one file; \"%r\", a file of each rank, is for solve");
  RunWatch watch(a.verbosity);
  options.progress = watch.callback();
  watch.begin("reading", a.problem.matrix);
  Problem problem = read_problem(a.problem, options);
  const Report report = dispatch(problem.type, [&]<class T>() {
    return plan(io::matrix_as<T>(std::move(problem.matrix.matrix)), options);
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
  }
  return exit_ok;
}

}  // namespace

Command plan_command() {
  auto a = std::make_shared<PlanArguments>();
  auto flags = std::make_shared<OptionFlags>();
  Command command{.name = "plan",
                  .help = "what solve would do: ordering, ranks, flops, fill, memory",
                  .arguments = {file_argument("matrix", "as for solve", a->problem.matrix, true),
                                type_argument("plan for this type [the file's]", a->problem.type)},
                  .run = [a, flags] { return run_plan(*a, flags->options()); },
                  .footer = "\"options\" of what --json prints is a file for --plan of solve."};
  a->verbosity.add_to(command.arguments);
  flags->add_to(command.arguments, "plan");
  return command;
}

}  // namespace overlapack::cli
