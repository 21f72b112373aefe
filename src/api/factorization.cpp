#include "api/factorization.hpp"

#include "api/error_analysis.hpp"
#include "api/machine.hpp"
#include "api/multifrontal_plan.hpp"
#include "api/operation.hpp"
#include "api/prepare.hpp"
#include "api/refined_solve.hpp"
#include "api/report_figures.hpp"
#include "api/stopwatch.hpp"
#include "overlapack/iterative.hpp"
#include "overlapack/overlapack.hpp"
#include "sparse/matrix/transpose.hpp"

#include <cmath>
#include <cstdio>

namespace overlapack {
namespace {

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
  report.grid_roots = stats.grid_roots;
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
    sparse::MultifrontalPlan plan = api::multifrontal_plan(options);
    if (rank.rank() == 0)
      plan.on_progress = [&](double share) {
        interruption.check("factorisation", share);
        return true;
      };
    const bool is_root = rank.rank() == 0;
    const bool has_real_spectrum = api::is_self_adjoint(A.symmetry, ScalarTraits<T>::is_complex);
    const Facts facts = api::from_root(rank, Facts{A.rows, analysis.kind, has_real_spectrum});
    if (place == 0) facts_ = facts;
    shares[place].factorize(rank, is_root ? &analysis : nullptr, is_root ? &A : nullptr, plan);
    session->gather_record(rank, place);
  });
  report.factor_s = watch.s();
  take(report, shares.front().stats());
  api::take(report, trace::summarise(session->timeline()));
}

template <class T>
const SparseMatrix<T>& Factorization<T>::Implementation::applied(Transpose op, SparseMatrix<T>& made) const {
  if (op == Transpose::none || !session->has_root()) return A;
  return made = op == Transpose::trans ? sparse::transpose(A) : sparse::conjugate_transpose(A);
}

template <class T>
Solution<T> Factorization<T>::Implementation::solve(std::span<const T> b, Index nrhs, Transpose op) {
  SparseMatrix<T> made;
  const SparseMatrix<T>& op_A = applied(op, made);
  const api::FactorizedSystem<T> system{
      .n = A.rows,
      .substitute = [&](comm::Rank& rank, int place, const T* r, T* d,
                        Index columns) { substitute(rank, place, api::op_of(op), r, d, columns); },
      .residuals = [&](comm::Rank&, int) { return api::residuals_of(op_A); },
      .more_accuracy = more_accuracy(options)};
  std::vector<T> x = api::refined_solve(*session, interruption, options, system, b, nrhs, report);
  if (options.error_analysis) bound_errors(op_A, op, b, x, nrhs);
  return {std::move(x), report};
}

template <class T>
void Factorization<T>::Implementation::drive(const std::function<void(const api::DrivenSolve<T>&)>& drive) {
  session->run([&](comm::Rank& rank, int place) {
    const auto mine = [&](kernels::Op op, const T* b, T* x, Index columns) {
      interruption.check("solve", 0);
      substitute(rank, place, op, b, x, columns);
    };
    api::drive_solves<T>(rank, mine, drive);
  });
}

template <class T>
void Factorization<T>::Implementation::bound_errors(const SparseMatrix<T>& op_A, Transpose op, std::span<const T> b,
                                                    std::span<const T> x, Index nrhs) {
  if (std::isnan(report.condition_estimate)) reciprocal_condition();
  const api::Stopwatch watch;
  report.condition_omega1 = report.condition_omega2 = report.forward_error_bound = 0;
  drive([&](const api::DrivenSolve<T>& solve) {
    const auto n = static_cast<std::size_t>(A.rows);
    for (std::size_t first = 0; first < n * static_cast<std::size_t>(nrhs); first += n) {
      const api::ErrorBound bound =
          api::bound_error<T>(op_A, api::op_of(op), b.subspan(first, n), x.subspan(first, n), solve);
      if (bound.forward <= report.forward_error_bound && first > 0) continue;
      report.condition_omega1 = bound.condition1;
      report.condition_omega2 = bound.condition2;
      report.forward_error_bound = bound.forward;
    }
  });
  report.solve_s += watch.s();
}

template <class T>
Determinant<T> Factorization<T>::Implementation::determinant() {
  Determinant<T> result;
  session->run([&](comm::Rank& rank, int place) {
    const dense::ScaledNumber<T> mine = shares[static_cast<std::size_t>(place)].determinant(rank);
    if (place == 0) result = {mine.mantissa, mine.exponent};
  });
  return result;
}

template <class T>
double Factorization<T>::Implementation::reciprocal_condition() {
  double result = 0;
  drive([&](const api::DrivenSolve<T>& solve) { result = api::reciprocal_condition(A, solve); });
  session->run([&](comm::Rank& rank, int place) {
    const double known = api::from_root(rank, result);
    if (place == 0) result = known;
  });
  report.condition_estimate = 1 / result;
  return result;
}

template <class T>
Inertia Factorization<T>::Implementation::inertia() const {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::bad_plan, "inertia", message); };
  if (facts_.kind == sparse::FactorKind::lu)
    refuse("the factors are of LU, whose pivots do not tell the signs of eigenvalues; factorise a symmetric matrix with ldlt");
  if (!facts_.has_real_spectrum) refuse("the matrix is complex symmetric, its eigenvalues are not real; there is no inertia");
  const sparse::FactorStats& stats = shares.front().stats();
  return {facts_.n - stats.negative_pivots, stats.negative_pivots, 0};
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
Solution<T> Factorization<T>::solve(std::span<const T> b, Index nrhs, Transpose op) {
  implementation_->interruption.restart();
  return implementation_->solve(b, nrhs, op);
}

template <class T>
Determinant<T> Factorization<T>::determinant() {
  implementation_->interruption.restart();
  return implementation_->determinant();
}

template <class T>
double Factorization<T>::reciprocal_condition() {
  implementation_->interruption.restart();
  return implementation_->reciprocal_condition();
}

template <class T>
Inertia Factorization<T>::inertia() const {
  return implementation_->inertia();
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
  if (iterative::is_iterative(options.method))
    return iterative::iteration(std::move(A), options).solve(b, n > 0 ? static_cast<Index>(b.size()) / n : 1);
  typename Factorization<T>::Implementation factors(std::move(A), options);
  return factors.solve(b, factors.A.rows > 0 ? static_cast<Index>(b.size()) / factors.A.rows : 1,
                       Transpose::none);
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
