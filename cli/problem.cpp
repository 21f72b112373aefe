#include "problem.hpp"

#include "any_matrix.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/printed.hpp"
#include "text.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace overlapack::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Read a vector of +1 and -1.
/// Errors  BadInput: it has other numbers
std::vector<std::int8_t> read_signs(const std::string& path) {
  std::vector<std::int8_t> signs;
  for (const double value : io::values_as<double>(io::read_dense(path).array)) {
    if (value != 1 && value != -1)
      throw Error(Status::bad_input, "\"" + path + "\" holds " + printed("%g", value) + " as sign " +
                                         std::to_string(signs.size()) +
                                         " (from 0); give +1 or -1 for each unknown");
    signs.push_back(static_cast<std::int8_t>(value));
  }
  return signs;
}

/// Check that a right-hand side of n > 1 numbers is not saved as a row.
/// Errors  BadInput
void require_columns(const std::string& path, const io::DenseFile& file, Index n) {
  if (file.rows != 1 || file.cols != n || n == 1) return;
  const std::string size = std::to_string(n);
  throw Error(Status::bad_input,
              path + ": is 1 x " + size + ", but right-hand sides are columns; save it as " + size + " x 1");
}

/// Read the right-hand side and signs, and set the type.
void read_right_hand_side_and_signs(Problem& problem, const ProblemArguments& arguments) {
  if (!arguments.right_hand_side.empty()) {
    problem.right_hand_side = io::read_dense(arguments.right_hand_side);
    require_columns(arguments.right_hand_side, *problem.right_hand_side, problem.matrix.rows);
    problem.type = common_type(problem.type, problem.right_hand_side->type);
  }
  if (!arguments.signs.empty()) problem.signs = read_signs(arguments.signs);
  problem.type = type_from(arguments.type).value_or(problem.type);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Problem read_on_this_process(const ProblemArguments& arguments) {
  const auto start = Clock::now();
  Problem problem;
  problem.path = arguments.matrix;
  problem.matrix = io::read_matrix(arguments.matrix);
  problem.type = problem.matrix.type;
  read_right_hand_side_and_signs(problem, arguments);
  problem.read_s = seconds_since(start);
  return problem;
}

/// Call read(), which fills the problem, on the first process. The other processes get the problem's type.
void broadcast_scalar_type(Problem& problem, const Options& options, const std::function<void()>& read) {
  const std::int64_t type = from_first_process(options, [&] {
    read();
    return static_cast<std::int64_t>(problem.type);
  });
  problem.type = static_cast<ScalarType>(type);
}

/// Read one file for each rank, and the right-hand side on the first process.
Problem read_parts_of(const ProblemArguments& arguments, const Options& options,
                      const std::function<void()>& before) {
  const auto start = Clock::now();
  Problem problem;
  problem.path = arguments.matrix;
  io::PartFiles files = io::read_parts(arguments.matrix, options, before);
  problem.parts = std::move(files.parts);
  problem.matrix.facts = std::move(files.facts);
  problem.type = files.type;
  broadcast_scalar_type(problem, options, [&] { read_right_hand_side_and_signs(problem, arguments); });
  problem.read_s = seconds_since(start);
  return problem;
}

}  // namespace

Problem read_problem(const ProblemArguments& arguments, const Options& options,
                     const std::function<void()>& before) {
  if (io::names_parts(arguments.matrix)) return read_parts_of(arguments, options, before);
  Problem problem;
  broadcast_scalar_type(problem, options, [&] {
    before();
    problem = read_on_this_process(arguments);
  });
  return problem;
}

void require_inputs_stay(const ProblemArguments& arguments, const std::string& output) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(output, code)) return;
  for (const std::string& input : {arguments.matrix, arguments.right_hand_side, arguments.signs})
    if (std::filesystem::equivalent(input, output, code))
      throw Error(Status::bad_input,
                  output + ": is read, and what is written would replace it; give --output another name");
}

bool is_standard_output(const std::string& path) { return path == "-" || path == "/dev/stdout"; }

void require_output(RunWatch& watch, const std::string& path, const std::vector<std::string>& endings,
                    const std::string& what) {
  const std::string name = std::filesystem::path(path).filename();
  const bool fits = std::ranges::any_of(endings, [&](const std::string& end) { return name.ends_with(end); });
  if (!fits && name.find('.') != std::string::npos)
    throw Error(Status::bad_input, path + ": what is written is " + what + "; give it a name that ends in " +
                                       joined(endings, " or "));
  io::require_writable(path);
  watch.writes(path);
}

void require_side_output(RunWatch& watch, const std::string& path, const std::vector<std::string>& endings,
                         const std::string& what) {
  if (is_standard_output(path))
    throw Error(Status::bad_plan,
                "standard output is for the report or the solution; give " + what + " a file of its own");
  require_output(watch, path, endings, what);
}

}  // namespace overlapack::cli
