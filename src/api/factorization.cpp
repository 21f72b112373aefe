#include "api/factorization.hpp"

#include "api/machine.hpp"
#include "api/prepare.hpp"
#include "api/refined_solve.hpp"
#include "api/report_figures.hpp"
#include "api/stopwatch.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/overlapack.hpp"

#include <cstdio>

namespace overlapack {
namespace {

sparse::MultifrontalPlan plan_of(const Options& options) {
  sparse::MultifrontalPlan plan;
  plan.pivot_threshold = options.pivot_threshold;
  plan.walk.receive = options.receive == "probe" ? comm::ReceiveMode::probe : comm::ReceiveMode::immediate;
  plan.walk.posted = options.posted;
  using Parallelism = sparse::NodeParallelism;
  plan.strips.fronts = options.fronts == "strips"   ? Parallelism::strips
                       : options.fronts == "slices" ? Parallelism::slices
                                                    : Parallelism::automatic;
  plan.strips.least_border = options.strip_border;
  plan.strips.least_rows = options.strip_rows;
  plan.strips.panel = options.strip_panel;
  plan.strips.is_choice_static = options.strip_choice == "static";
  return plan;
}

void take(Report& report, const sparse::FactorStats& stats) {
  report.factor_nnz = stats.factor_nnz;
  report.flops = stats.flops;
  report.fronts = stats.fronts;
  report.peak_bytes = stats.peak_bytes;
  report.pivots.delayed = stats.pivots_delayed;
  report.pivots.two_by_two = stats.two_by_two;
  report.pivots.negative = stats.negative_pivots;
  report.distributed_fronts = stats.distributed_fronts;
  report.strips = stats.strips;
  report.pieces = stats.pieces;
}

std::string more_accuracy(const Options& options) {
  char text[120];
  std::snprintf(text, sizeof text, "raise pivot_threshold (now %g) or refinement_steps (now %d)",
                options.pivot_threshold, options.refinement_steps);
  return text;
}

}  // namespace

template <class T>
Factorization<T>::Implementation::Implementation(SparseMatrix<T> matrix, const Options& chosen)
    : options(chosen), interruption(chosen), A(std::move(matrix)) {
  check(options);
  if (api::engine_name(options) == "mpi") {
    // The team comes first: an error of rank 0, which alone has the matrix, must reach every process.
    session = std::make_unique<api::Session>(options, options.ranks);
    session->run([&](comm::Rank& rank, int) {
      if (rank.rank() == 0) analyse();
    });
  } else {
    analyse();
    session = std::make_unique<api::Session>(options, api::choose_ranks(options, report.predicted_flops));
  }
  session->describe(report, options);
  factorize();
}

template <class T>
void Factorization<T>::Implementation::analyse() {
  const api::Stopwatch watch;
  interruption.check("analysis", 0);
  api::accept_matrix(A);
  analysis = api::prepare(A, options, report);
  interruption.check("analysis", 1);
  report.analysis_s = comm::simulated_time() ? unknown : watch.s();  // no cost model
  api::require_memory(options, report.predicted_bytes, "ordering metis");
}

template <class T>
void Factorization<T>::Implementation::factorize() {
  const api::Stopwatch watch;
  shares.resize(session->local_ranks());
  session->run([&](comm::Rank& rank, int place) {
    sparse::MultifrontalPlan plan = plan_of(options);
    if (rank.rank() == 0)
      plan.on_progress = [&](double share) {
        interruption.check("factorisation", share);
        return true;
      };
    const bool is_root = rank.rank() == 0;
    shares[place].factorize(rank, is_root ? &analysis : nullptr, is_root ? &A : nullptr, plan);
    session->gather_record(rank, place);
  });
  report.factor_s = watch.s();
  take(report, shares.front().stats());
  api::take(report, trace::summarise(session->timeline()));
}

template <class T>
Solution<T> Factorization<T>::Implementation::solve(std::span<const T> b, Index nrhs) {
  const api::FactorizedSystem<T> system{
      .n = A.rows,
      .substitute = [&](comm::Rank& rank, int place, const T* r, T* d,
                        Index columns) { shares[place].solve(rank, r, d, columns); },
      .residuals = [&](comm::Rank&, int) { return api::residuals_of(A); },
      .more_accuracy = more_accuracy(options)};
  std::vector<T> x = api::refined_solve(*session, interruption, options, system, b, nrhs, report);
  return {std::move(x), report};
}

template <class T>
Factorization<T>::Factorization(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
template <class T>
Factorization<T>::Factorization(Factorization&&) noexcept = default;
template <class T>
Factorization<T>& Factorization<T>::operator=(Factorization&&) noexcept = default;
template <class T>
Factorization<T>::~Factorization() = default;

template <class T>
Solution<T> Factorization<T>::solve(std::span<const T> b, Index nrhs) {
  implementation_->interruption.restart();
  return implementation_->solve(b, nrhs);
}

template <class T>
const Report& Factorization<T>::report() const {
  return implementation_->report;
}

template <class T>
const trace::Timeline& Factorization<T>::timeline() const {
  return implementation_->session->timeline();
}

template <class T>
Factorization<T> factorize(SparseMatrix<T> A, const Options& options) {
  using Implementation = typename Factorization<T>::Implementation;
  return Factorization<T>(std::make_unique<Implementation>(std::move(A), options));
}

template <class T>
Solution<T> solve(SparseMatrix<T> A, std::span<const T> b, const Options& options) {
  const Index n = A.rows;
  if (options.method == "jacobi")
    return iterative::jacobi(std::move(A), options).solve(b, n > 0 ? static_cast<Index>(b.size()) / n : 1);
  typename Factorization<T>::Implementation factors(std::move(A), options);
  return factors.solve(b, factors.A.rows > 0 ? static_cast<Index>(b.size()) / factors.A.rows : 1);
}

template <class T>
Report plan(SparseMatrix<T> A, const Options& options) {
  check(options);
  Report report;
  const api::Stopwatch watch;
  api::accept_matrix(A);
  api::prepare(A, options, report);
  report.analysis_s = watch.s();
  report.engine = api::engine_name(options);
  report.ranks = api::choose_ranks(options, report.predicted_flops);
  report.workers = options.workers;
  return report;
}

#define OVERLAPACK_INSTANTIATE(T)                                                  \
  template class Factorization<T>;                                                 \
  template Factorization<T> factorize(SparseMatrix<T>, const Options&);            \
  template Solution<T> solve(SparseMatrix<T>, std::span<const T>, const Options&); \
  template Report plan(SparseMatrix<T>, const Options&);
OVERLAPACK_INSTANTIATE(float)
OVERLAPACK_INSTANTIATE(double)
OVERLAPACK_INSTANTIATE(std::complex<float>)
OVERLAPACK_INSTANTIATE(std::complex<double>)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
