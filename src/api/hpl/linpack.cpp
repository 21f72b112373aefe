#include "api/hpl/linpack.hpp"

#include "api/dense/dense_report.hpp"
#include "api/plan/prepare.hpp"
#include "api/run/node_sum.hpp"
#include "api/run/resources.hpp"
#include "api/words/type_names.hpp"
#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "comm/collective/collective.hpp"
#include "comm/team.hpp"
#include "dense/check/random_matrix.hpp"
#include "dense/lu/panel/phantom_panel.hpp"
#include "dense/lu/solve/solve.hpp"
#include "dist/grid/owned_matrix.hpp"
#include "dist/moves/onesided/lent_matrix.hpp"
#include "overlapack/environment.hpp"
#include "overlapack/error.hpp"
#include "overlapack/printed.hpp"

#include <algorithm>

namespace overlapack::api {
namespace {

constexpr double hpl_threshold = 16;

dist::BlockCyclic distributed(Index size, Index block, int processes) {
  return {.size = size, .block = block, .processes = processes};
}

template <class T>
double part_bytes(const comm::Rank& rank, const LinpackProblem& p) {
  if (!p.grid.holds(rank.rank())) return 0;
  const dist::GridPosition me = p.grid.position_of(rank.rank());
  const Index rows = distributed(p.n, p.block, p.grid.rows()).local_size(me.row);
  const Index cols = distributed(p.n + 1, p.block, p.grid.cols()).local_size(me.col);
  return static_cast<double>(padded_ld(rows)) * static_cast<double>(cols) * sizeof(T);
}

bool is_true_on_all_ranks(comm::Rank& rank, double has) {
  return comm::collective::all_reduce(rank, has, [](double a, double b) { return a * b; }) > 0;
}

/// Allocate [A | b] of the problem, without entries. If a rank lacks memory, has_memory is false on all.
template <class T>
dist::OwnedMatrix<T> allocated(comm::Rank& rank, const LinpackProblem& p, LinpackResult& result) {
  dist::OwnedMatrix<T> Ab;
  const double needed = sum_over_node(rank, part_bytes<T>(rank, p));
  const double limit = p.memory_limit_bytes > 0 ? p.memory_limit_bytes : available_memory_bytes();
  const dist::BlockCyclic rows = distributed(p.n, p.block, p.grid.rows()),
                          cols = distributed(p.n + 1, p.block, p.grid.cols());
  double has_memory = needed <= limit;
  if (p.plan.discipline == Discipline::onesided && dist::should_be_in_window(rank, p.plan.lent_memory)) {
    if (is_true_on_all_ranks(rank, has_memory)) Ab = dist::OwnedMatrix<T>(rank, p.grid, rows, cols);
  } else if (has_memory)
    try {
      Ab = dist::OwnedMatrix<T>(p.grid, rank.rank(), rows, cols);
    } catch (const std::bad_alloc&) {
      has_memory = 0;
    } catch (const Error& error) {  // an arena's
      if (error.status() != Status::out_of_memory) throw;
      has_memory = 0;
    }
  result.needed_bytes = comm::collective::all_reduce(rank, needed, Larger());
  result.has_memory = is_true_on_all_ranks(rank, has_memory);
  return Ab;
}

/// The end of a message: " on a node, more than there is; take a smaller one".
std::string lack_of_memory(const LinpackProblem& p) {
  if (p.memory_limit_bytes > 0)
    return " on a node, more than the " + bytes_text(p.memory_limit_bytes) +
           " of memory_limit; raise it, or take a smaller one, more nodes or single precision";
  if (comm::simulated_time())
    return ", more than this computer has for all the ranks it simulates; give --phantom to simulate, which "
           "computes with shapes alone, or take a smaller one";
  return " on a node, more than there is; take a smaller one, more nodes or single precision";
}

/// Run the factorisation only, by shapes (without values).
template <class T>
LinpackResult run_phantom(comm::Rank& rank, const LinpackProblem& p, const std::function<void()>& solved) {
  LinpackResult result;
  result.policy = dense::phantom_pivot_policy;
  const dist::OwnedMatrix<T> owned(p.grid, rank.rank(), distributed(p.n, p.block, p.grid.rows()),
                                   distributed(p.n + 1, p.block, p.grid.cols()), dist::Content::shape);
  comm::collective::barrier(rank);
  const double begin = rank.now();
  result.counters = dense::lu_factor(rank, owned.view(), std::span<Index>(), p.plan);
  const double end = rank.now();
  solved();
  result.seconds = result.factor_s = comm::collective::all_reduce(rank, end - begin, Larger());
  result.solve_s = unknown;
  sum_counters_over_ranks(rank, result.counters);
  return result;
}

}  // namespace

template <class T>
LinpackResult run_linpack(comm::Rank& rank, const LinpackProblem& p, const std::function<void()>& solved) {
  LinpackResult result;
  if (rank.capabilities().is_phantom) return run_phantom<T>(rank, p, solved);
  const dist::OwnedMatrix<T> owned = allocated<T>(rank, p, result);
  if (!result.has_memory) return result;
  const dist::DistributedMatrix<T>& Ab = owned.view();
  dense::random_columns(p.seed, Ab, 0, Ab.local);
  std::vector<Index> pivots(static_cast<std::size_t>(p.n));

  comm::collective::barrier(rank);
  const double begin = rank.now();
  result.counters = dense::lu_factor(rank, Ab, std::span<Index>(pivots), p.plan);
  const double factorized = rank.now();
  std::vector<T> x = dense::back_substitute(rank, Ab, p.plan);
  const double end = rank.now();
  solved();

  result.factor_s = comm::collective::all_reduce(rank, factorized - begin, Larger());
  result.solve_s = comm::collective::all_reduce(rank, end - factorized, Larger());
  result.seconds = comm::collective::all_reduce(rank, end - begin, Larger());
  sum_counters_over_ranks(rank, result.counters);
  if (!p.checks || result.counters.info != 0) return result;
  x.resize(static_cast<std::size_t>(
      p.n));  // ranks outside of the grid have none, and no columns to multiply it with
  dense::RandomColumns<T> again(p.seed, Ab);
  result.norms = dense::residual_norms<T>(rank, Ab, again, x);
  return result;
}

Report linpack_report(const LinpackProblem& p, ScalarType type, const LinpackResult& result) {
  if (!result.has_memory)
    throw Error(Status::out_of_memory,
                "the matrix needs " + bytes_text(result.needed_bytes) + lack_of_memory(p));
  require_pivots(result.counters);
  Report report;
  write_plan(report, p.n, type, {p.block, p.grid, p.plan, p.order, p.choice});
  static_cast<DenseCounters&>(*report.dense) = result.counters;
  report.factor_s = result.factor_s;
  report.solve_s = result.solve_s;
  report.predicted_bytes = result.needed_bytes;
  report.right_hand_sides = 1;
  report.backward_error = result.norms.backward_error;
  report.dense->gflops = report.flops / result.seconds / 1e9;
  report.policy = result.policy;
  if (!result.policy.empty()) {  // nothing was computed that could be judged
    report.backward_error = unknown;
    return report;
  }
  const bool is_single = api::is_single(type);
  report.dense->scaled_residual = result.norms.scaled(p.n, is_single ? 0x1p-24 : 0x1p-53);
  if (report.dense->scaled_residual < hpl_threshold) return report;
  report.status = Status::inaccurate;
  report.message =
      "the scaled residual is not below HPL's threshold of 16; the result is wrong, please report it";
  return report;
}

#define OVERLAPACK_INSTANTIATE(T) \
  template LinpackResult run_linpack<T>(comm::Rank&, const LinpackProblem&, const std::function<void()>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
