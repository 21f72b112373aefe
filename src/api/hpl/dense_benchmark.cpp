#include "api/dense/dense_report.hpp"
#include "api/dense/discipline_choice.hpp"
#include "api/hpl/linpack.hpp"
#include "api/hpl/random_run.hpp"
#include "api/refine/report_figures.hpp"
#include "api/run/session.hpp"
#include "base/public_call.hpp"
#include "overlapack/benchmark.hpp"
#include "overlapack/dispatch.hpp"

#include <limits>

namespace overlapack::api {
namespace {

/// One solve on every rank; the result is the same on all of them.
template <class T>
LinpackResult solve(Session& session, const LinpackProblem& problem) {
  LinpackResult result;
  session.run([&](comm::Rank& rank, int position) {
    const LinpackResult mine = run_linpack<T>(rank, problem, [&] { session.gather_record(rank, position); });
    const dense::ResidualNorms norms = broadcast_from_root(rank, mine.norms);
    if (position == 0) result = mine, result.norms = norms;
  });
  return result;
}

template <class T>
benchmark::Run solve_random(Index n, std::uint64_t seed, const Options& options) {
  const double flops = lu_flops(n, ScalarTraits<T>::is_complex);
  const bool has_processes = ranks_are_processes(options);
  Session session(options, has_processes ? options.ranks : choose_dense_ranks(options, flops));
  require_dense_options(options, FactorKind::lu);
  const std::vector<int> node_of = gather_node_numbers(session, options);
  DensePlan plan = make_lu_plan(options, n, node_of, std::numeric_limits<Real<T>>::epsilon());
  session.run([&, given = plan](comm::Rank& rank, int position) {
    const DensePlan mine = choose_discipline(rank, options, problem_of<T>(n, true), given);
    if (position == 0) plan = mine;
  });
  LinpackProblem problem{.n = n,
                         .block = plan.block,
                         .grid = plan.grid,
                         .plan = plan.lu,
                         .order = plan.order,
                         .choice = plan.choice,
                         .seed = seed,
                         .memory_limit_bytes = static_cast<double>(options.run.memory_limit_bytes)};
  problem.plan.exchange_left = false;  // L is not used for further solves
  const LinpackResult result = solve<T>(session, problem);
  return run_of(linpack_report(problem, ScalarTraits<T>::type, result), session, options, node_of);
}

}  // namespace
}  // namespace overlapack::api

namespace overlapack {

benchmark::Run benchmark::dense(Index n, ScalarType type, std::uint64_t seed, const Options& options) {
  return public_call(call::benchmark, [&]() -> benchmark::Run {
    return dispatch(type, [&]<class T>() { return api::solve_random<T>(n, seed, options); });
  });
}

}  // namespace overlapack
