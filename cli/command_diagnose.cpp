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

/// The lines of a file; none if the path is empty.
std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  if (path.empty()) return lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
  }
  if (!file.eof())  // a folder can be opened, but not read
    throw Error(Status::bad_input, path + ": cannot be read; give a text file with a name a line");
  return lines;
}

/// The right-hand side as real numbers.
/// Errors  BadInput: the file has several columns, or complex numbers
std::vector<double> one_real_column(const DiagnoseArguments& a, const io::DenseFile& file) {
  const auto refuse = [&](const std::string& what) {
    throw Error(Status::bad_input, a.problem.right_hand_side + ": " + what);
  };
  if (file.cols != 1)
    refuse("has " + std::to_string(file.cols) + " columns, but diagnose reads one; give a single column");
  if (file.type == ScalarType::complex64 || file.type == ScalarType::complex128)
    refuse("is complex, but diagnose compares real right-hand sides; give real numbers, or leave --rhs out");
  return io::values_as<double>(file.array);
}

ModelFacts facts_of(const DiagnoseArguments& a, const Problem& problem) {
  ModelFacts facts{lines_of(a.names), lines_of(a.equations), {}, 0, {}};
  if (problem.right_hand_side) facts.right_hand_side = one_real_column(a, *problem.right_hand_side);
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
