#include "any_matrix.hpp"
#include "command.hpp"
#include "overlapack/dispatch.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/overlapack.hpp"
#include "problem.hpp"
#include "report_text.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace overlapack::cli {
namespace {

struct PlanArguments {
  ProblemArguments problem;
  bool json = false;
};

/// The report, and under "options" what `solve --plan` takes.
std::string json_with_options(const std::string& report, const Options& options) {
  auto object = nlohmann::ordered_json::parse(report);
  object["options"] = nlohmann::ordered_json::parse(to_json(options));
  return object.dump(2);
}

int run_plan(const PlanArguments& a, Options options) {
  if (engine_name(options) == "mpi" && !options.run.engine) options.run.engine = Engine::thread;
  if (io::names_parts(a.problem.matrix))
    throw Error(ErrorKind::bad_plan, "plan",
                "a plan is made of one file; \"%r\", a file of each rank, is for solve");
  Problem problem = read_problem(a.problem, options);
  const Report report = dispatch(problem.type, [&]<class T>() {
    return plan(io::matrix_as<T>(std::move(problem.matrix.matrix)), options);
  });
  const io::ReadFacts& facts = problem.matrix.facts;
  if (a.json) {
    std::printf("%s\n",
                json_with_options(json_text(report, problem.path, problem.read_s, facts), options).c_str());
  } else {
    std::fputs(facts_text(problem.path, report, facts).c_str(), stdout);
    std::fputs(plan_text(report).c_str(), stdout);
  }
  return exit_ok;
}

}  // namespace

Command plan_command() {
  auto a = std::make_shared<PlanArguments>();
  auto flags = std::make_shared<OptionFlags>();
  Command command{
      .name = "plan",
      .help = "what solve would do: ordering, ranks, flops, fill, memory",
      .arguments = {file_argument("matrix", "as for solve", a->problem.matrix, true),
                    text_argument("--type", "plan for this type [the file's]", a->problem.type),
                    flag("--json", "print one JSON object, whose \"options\" is a plan file", a->json)},
      .run = [a, flags] { return run_plan(*a, flags->options()); }};
  flags->add_to(command.arguments, "plan");
  return command;
}

}  // namespace overlapack::cli
