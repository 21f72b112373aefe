#include "command.hpp"
#include "json_output.hpp"
#include "overlapack/diagnose.hpp"
#include "overlapack/dispatch.hpp"
#include "overlapack/error.hpp"
#include "problem.hpp"
#include "run_watch.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>

namespace overlapack::cli {
namespace {

struct DiagnoseArguments {
  ProblemArguments problem;
  std::string names, equations, coordinates;
  Verbosity verbosity;
};

/// The lines of a file; none without one.
std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  if (path.empty()) return lines;
  std::ifstream file(path);
  if (!file) throw Error(Status::bad_input, path + ": cannot be read; give a text file with a name a line");
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

ModelFacts facts_of(const DiagnoseArguments& a, const Problem& problem) {
  ModelFacts facts{lines_of(a.names), lines_of(a.equations), {}, 0, {}};
  if (problem.right_hand_side && problem.right_hand_side->cols == 1)
    facts.right_hand_side = io::values_as<double>(problem.right_hand_side->array);
  if (a.coordinates.empty()) return facts;
  const io::DenseFile file = io::read_dense(a.coordinates);
  const std::vector<double> columns = io::values_as<double>(file.array);
  facts.dimensions = static_cast<int>(file.cols);
  for (Index node = 0; node < file.rows; ++node)
    for (Index axis = 0; axis < file.cols; ++axis)
      facts.coordinates.push_back(columns[static_cast<std::size_t>(node + axis * file.rows)]);
  return facts;
}

int run_diagnose(const DiagnoseArguments& a) {
  RunWatch watch(a.verbosity);
  Options options;
  options.progress = watch.callback();
  options.run.engine = Engine::thread;
  watch.begin("reading", a.problem.matrix);
  Problem problem = read_problem(a.problem, options);
  const ModelFacts facts = facts_of(a, problem);
  const Diagnosis diagnosis = dispatch(problem.matrix.type, [&]<class T>() {
    return diagnose(io::matrix_as<T>(std::move(problem.matrix.matrix)), facts, options);
  });
  watch.clear();
  if (a.verbosity.json)
    print_json(nlohmann::ordered_json::parse(to_json(diagnosis)));
  else if (a.verbosity.has_report())
    std::fputs(table_of(diagnosis).c_str(), stdout);
  return diagnosis.is_sound() ? exit_ok : exit_singular;
}

}  // namespace

Command diagnose_command() {
  auto a = std::make_shared<DiagnoseArguments>();
  Command command{
      .name = "diagnose",
      .help = "why a matrix is singular, in words about its model",
      .arguments = {file_argument("matrix", "as for solve", a->problem.matrix, true),
                    file_argument("--rhs",
                                  "right-hand side: tells equations that repeat from those that contradict",
                                  a->problem.right_hand_side),
                    file_argument("--names", "names of the unknowns, one a line", a->names),
                    file_argument("--equations", "names of the equations, one a line [those of the unknowns]",
                                  a->equations),
                    file_argument("--coordinates",
                                  "nodes x 1, 2 or 3 numbers, as a right-hand side is given: rigid "
                                  "motions are named by them",
                                  a->coordinates)},
      .run = [a] { return run_diagnose(*a); },
      .footer = "Ends with 3 where there is a fault."};
  a->verbosity.add_to(command.arguments);
  return command;
}

}  // namespace overlapack::cli
