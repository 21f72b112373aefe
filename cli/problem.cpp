#include "problem.hpp"

#include "any_matrix.hpp"
#include "api/session.hpp"

#include <chrono>

namespace overlapack::cli {
namespace {

Problem read_here(const ProblemArguments& arguments) {
  const auto start = std::chrono::steady_clock::now();
  Problem problem;
  problem.path = arguments.matrix;
  problem.matrix = api::read_matrix(arguments.matrix);
  problem.type = problem.matrix.type;
  if (!arguments.right_hand_side.empty()) {
    problem.right_hand_side = api::read_dense(arguments.right_hand_side);
    problem.type = common_type(problem.type, problem.right_hand_side->type);
  }
  problem.type = type_from(arguments.type).value_or(problem.type);
  problem.read_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return problem;
}

}  // namespace

Problem read_problem(const ProblemArguments& arguments, const Options& options,
                     const std::function<void()>& before) {
  if (api::engine_name(options) != "mpi") {
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
