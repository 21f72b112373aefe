#include "problem.hpp"

#include "any_matrix.hpp"
#include "api/session.hpp"
#include "part_files.hpp"

#include <chrono>

namespace overlapack::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// The right-hand side and the type.
void complete(Problem& problem, const ProblemArguments& arguments) {
  if (!arguments.right_hand_side.empty()) {
    problem.right_hand_side = api::read_dense(arguments.right_hand_side);
    problem.type = common_type(problem.type, problem.right_hand_side->type);
  }
  problem.type = type_from(arguments.type).value_or(problem.type);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Problem read_here(const ProblemArguments& arguments) {
  const auto start = Clock::now();
  Problem problem;
  problem.path = arguments.matrix;
  problem.matrix = api::read_matrix(arguments.matrix);
  problem.type = problem.matrix.type;
  complete(problem, arguments);
  problem.read_s = seconds_since(start);
  return problem;
}

/// A file of each rank; the right-hand side on the first process.
Problem read_parts_of(const ProblemArguments& arguments, const Options& options,
                      const std::function<void()>& before) {
  const auto start = Clock::now();
  Problem problem;
  problem.path = arguments.matrix;
  PartFiles files = read_parts(arguments.matrix, options, before);
  problem.parts = std::move(files.parts);
  problem.matrix.facts = std::move(files.facts);
  problem.type = files.type;
  api::Session session(options, options.ranks);
  session.run([&](comm::Rank& rank, int place) {
    if (rank.rank() == 0) complete(problem, arguments);
    const ScalarType type = api::from_root(rank, problem.type);
    if (place == 0) problem.type = type;
  });
  problem.read_s = seconds_since(start);
  return problem;
}

}  // namespace

Problem read_problem(const ProblemArguments& arguments, const Options& options,
                     const std::function<void()>& before) {
  if (names_parts(arguments.matrix)) return read_parts_of(arguments, options, before);
  if (api::engine_name(options) == "thread") {
    before();
    return read_here(arguments);
  }
  Problem problem;
  api::Session session(options, options.ranks);
  session.run([&](comm::Rank& rank, int) {
    if (rank.rank() == 0) {
      before();
      problem = read_here(arguments);
    }
    problem.type = api::from_root(rank, problem.type);
  });
  return problem;
}

}  // namespace overlapack::cli
