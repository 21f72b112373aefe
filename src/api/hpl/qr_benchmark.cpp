#include "api/dense/dense_report.hpp"
#include "api/dense/qr_factorization.hpp"
#include "api/hpl/random_run.hpp"
#include "api/plan/memory_limit.hpp"
#include "api/refine/report_figures.hpp"
#include "api/run/node_sum.hpp"
#include "api/words/type_names.hpp"
#include "base/larger.hpp"
#include "base/public_call.hpp"
#include "dense/check/random_matrix.hpp"
#include "dense/qr/qr_norms.hpp"
#include "overlapack/benchmark.hpp"
#include "overlapack/dispatch.hpp"
#include "overlapack/environment.hpp"

#include <algorithm>
#include <limits>

namespace overlapack::api {
namespace {

constexpr double rounding_threshold = 30;  // LAPACK's tests of QR

/// A random problem [A | b] on the ranks of a session.
struct QrProblem {
  Index m = 0, n = 0;
  DensePlan plan;
  dense::QrPlan qr = {};
  std::uint64_t seed = 1;
  double memory_limit_bytes = 0;
};

struct QrResult {
  double factor_s = 0, solve_s = 0;  ///< of the slowest rank
  dense::FactorResult counters;      ///< sums over the ranks
  dense::QrNorms norms;
  dense::Optimality optimality;
};

dist::BlockCyclic distributed_in(const QrProblem& p, Index size, int processes) {
  return {.size = size, .block = p.plan.block, .processes = processes};
}

/// Views of A and of b in the memory of [A | b].
template <class T>
dist::DistributedMatrix<T> matrix_of(const dist::DistributedMatrix<T>& Ab, Index n) {
  dist::DistributedMatrix<T> A = Ab;
  A.local.cols = Ab.first_col({n});
  A.cols.size = n;
  return A;
}
template <class T>
dist::DistributedMatrix<T> right_hand_side_of(const dist::DistributedMatrix<T>& Ab, Index n) {
  dist::DistributedMatrix<T> b = Ab;
  const Index before = Ab.first_col({n});
  b.local = Ab.local.block(0, before, Ab.local.rows, Ab.local.cols - before);
  b.cols = {.size = 1, .block = 1, .processes = Ab.cols.processes, .source = Ab.cols.owner({n})};
  return b;
}

/// The first `count` rows of a distributed column, on every rank.
template <class T>
std::vector<T> broadcast_column(comm::Rank& rank, const dist::DistributedMatrix<T>& column, Index count) {
  std::vector<T> all(static_cast<std::size_t>(count), T(0));
  if (column.grid->holds(rank.rank()) && column.local.cols == 1)
    for (Index i = 0; i < column.first_row({count}); ++i)
      all[static_cast<std::size_t>(column.rows.global({i}, column.me.row).value)] = column.local(i, 0);
  comm::collective::all_reduce(rank, std::span<T>(all), std::plus<>());
  return all;
}

/// Check that there is memory for two matrices: [A | b], and the copy of A that qr_norms makes.
/// Errors  OutOfMemory
template <class T>
void require_room(comm::Rank& rank, const QrProblem& p, const Options& options) {
  const double bytes = 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n + 1) * sizeof(T);
  const double mine = p.plan.grid.holds(rank.rank()) ? bytes / p.plan.grid.size() : 0;
  require_memory(options, sum_over_node(rank, mine), "a smaller matrix, more nodes");
}

template <class T>
QrResult run_qr(comm::Rank& rank, const QrProblem& p, const Options& options,
                const std::function<void()>& solved) {
  const bool is_phantom = rank.capabilities().is_phantom;
  if (!is_phantom) require_room<T>(rank, p, options);
  const dist::OwnedMatrix<T> owned(p.plan.grid, rank.rank(), distributed_in(p, p.m, p.plan.grid.rows()),
                                   distributed_in(p, p.n + 1, p.plan.grid.cols()),
                                   is_phantom ? dist::Content::shape : dist::Content::zeros);
  const dist::DistributedMatrix<T>& Ab = owned.view();
  const dist::DistributedMatrix<T> A = matrix_of(Ab, p.n), b = right_hand_side_of(Ab, p.n);
  const Index width = std::min(p.plan.block, p.n);
  std::vector<T> s(is_phantom ? 0 : static_cast<std::size_t>(width * p.n));
  const dense::QrFactors<T> factors{A, {s.data(), width, p.n, width}};
  if (!is_phantom) dense::random_columns(p.seed, Ab, 0, Ab.local);
  const std::vector<T> rhs = is_phantom ? std::vector<T>() : broadcast_column(rank, b, p.m);

  QrResult result;
  comm::collective::barrier(rank);
  const double begin = rank.now();
  result.counters = dense::qr_factor(rank, factors, p.qr);
  const double factorized = rank.now();
  if (!is_phantom) dense::qr_least_squares(rank, factors, b, p.qr);
  const double end = rank.now();
  solved();
  result.factor_s = comm::collective::all_reduce(rank, factorized - begin, Larger());
  result.solve_s = is_phantom ? unknown : comm::collective::all_reduce(rank, end - factorized, Larger());
  sum_counters_over_ranks(rank, result.counters);
  if (is_phantom) return result;
  dense::RandomColumns<T> again(p.seed, A);
  result.norms = dense::qr_norms<T>(rank, factors, again, p.qr);
  const dense::EntrySizes sizes = dense::entry_sizes<T>(rank, A, again, {0}, {p.n});
  const std::vector<T> x = broadcast_column(rank, b, p.n);
  result.optimality = dense::optimality<T>(rank, A, again, sizes, x, rhs);
  return result;
}

Report qr_report(const QrProblem& p, ScalarType type, const QrResult& result, bool is_phantom) {
  Report report;
  write_plan(report, p.n, type, p.plan);
  const bool is_complex = type == ScalarType::complex64 || type == ScalarType::complex128;
  report.factorization = to_string(FactorKind::qr);
  report.nnz = report.factor_nnz = p.m * p.n;
  report.flops = report.predicted_flops = qr_flops(p.m, p.n, is_complex);
  static_cast<DenseCounters&>(*report.dense) = result.counters;
  report.factor_s = result.factor_s;
  report.solve_s = result.solve_s;
  report.right_hand_sides = 1;
  report.backward_error = unknown;
  DenseFigures& figures = *report.dense;
  figures.rows = p.m;
  figures.gflops = report.flops / report.factor_s / 1e9;
  if (is_phantom) {
    report.policy = "none: nothing of QR depends on the entries";
    return report;
  }
  const bool is_single = api::is_single(type);
  const double unit = static_cast<double>(p.m) * (is_single ? 0x1p-24 : 0x1p-53);
  figures.factor_residual =
      result.norms.matrix_one > 0 ? result.norms.residual / (result.norms.matrix_one * unit) : 0;
  figures.orthogonality = result.norms.orthogonality / unit;
  figures.residual_norm = result.optimality.residual_norm;
  figures.optimality = result.optimality.gradient;
  const double worst = std::max({figures.factor_residual, figures.orthogonality, figures.optimality / unit});
  if (worst < rounding_threshold) return report;
  report.status = Status::inaccurate;
  report.message = "a residual of QR is above what rounding explains; the result is wrong, please report it";
  return report;
}

template <class T>
benchmark::Run qr_of_random(Index m, Index n, std::uint64_t seed, const Options& options) {
  if (m < n)
    throw Error(Status::bad_input, "the matrix has " + std::to_string(m) + " rows and " + std::to_string(n) +
                                       " columns; give QR at least as many rows as columns");
  require_dense_options(options, FactorKind::qr);
  const bool has_processes = ranks_are_processes(options);
  const double flops = qr_flops(m, n, ScalarTraits<T>::is_complex);
  Session session(options, has_processes ? options.ranks : choose_dense_ranks(options, flops));
  const std::vector<int> node_of = gather_node_numbers(session, options);
  QrProblem problem{.m = m,
                    .n = n,
                    .plan = make_dense_plan(options, n, node_of, std::numeric_limits<Real<T>>::epsilon()),
                    .seed = seed};
  problem.qr = qr_plan(options, problem.plan.lu);
  QrResult result;
  bool is_phantom = false;
  session.run([&](comm::Rank& rank, int position) {
    const QrResult mine = run_qr<T>(rank, problem, options, [&] { session.gather_record(rank, position); });
    if (position == 0) result = mine, is_phantom = rank.capabilities().is_phantom;
  });
  return run_of(qr_report(problem, ScalarTraits<T>::type, result, is_phantom), session, options, node_of);
}

}  // namespace
}  // namespace overlapack::api

namespace overlapack {

benchmark::Run benchmark::qr(Index m, Index n, ScalarType type, std::uint64_t seed, const Options& options) {
  return public_call(call::benchmark, [&]() -> benchmark::Run {
    return dispatch(type, [&]<class T>() { return api::qr_of_random<T>(m, n, seed, options); });
  });
}

}  // namespace overlapack
