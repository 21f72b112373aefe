#include "api/factorization.hpp"

#include "api/machine.hpp"
#include "api/prepare.hpp"
#include "api/report_figures.hpp"
#include "overlapack/overlapack.hpp"

#include <chrono>
#include <cmath>
#include <limits>

namespace overlapack {
namespace {

/// Seconds since it was made.
class Stopwatch {
 public:
  double s() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

sparse::MultifrontalPlan plan_of(const Options& options) {
  sparse::MultifrontalPlan plan;
  plan.pivot_threshold = options.pivot_threshold;
  plan.walk.receive = options.receive == "probe" ? comm::ReceiveMode::probe : comm::ReceiveMode::immediate;
  plan.walk.posted = options.posted;
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
}

std::string more_accuracy(const Options& options) {
  char text[120];
  std::snprintf(text, sizeof text, "raise pivot_threshold (now %g) or refinement_steps (now %d)",
                options.pivot_threshold, options.refinement_steps);
  return text;
}

template <class T>
void require_right_hand_sides(std::span<const T> b, Index n, Index nrhs) {
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::bad_input, "solve", message); };
  if (nrhs < 0) refuse("the number of right-hand sides is negative; give how many columns b has");
  if (static_cast<Index>(b.size()) != n * nrhs)
    refuse("the right-hand side has " + std::to_string(b.size()) + " entries, but the matrix has " +
           std::to_string(n) + " rows and there are " + std::to_string(nrhs) + " right-hand sides; give " +
           std::to_string(n * nrhs));
  for (std::size_t i = 0; i < b.size(); ++i)
    if (!std::isfinite(std::abs(b[i])))
      refuse("entry " + std::to_string(i) +
             " of the right-hand side is not a finite number; remove NaN and infinity");
}

/// Collective over processes: rank 0's x on every rank, so that a script that all of them run can go on with it.
template <class T>
void share(comm::Rank& rank, std::vector<T>& x) {
  const bool is_root = rank.rank() == 0;
  const comm::Body body = comm::collective::broadcast(
      rank, 0, is_root ? comm::Body::copy_of(std::span<const T>(x)) : comm::Body());
  const std::span<const T> values = body.as<T>();
  if (!is_root) x.assign(values.begin(), values.end());
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
  report.engine = api::engine_name(options);
  report.ranks = session->ranks();
  report.workers = options.workers;
  factorize();
}

template <class T>
void Factorization<T>::Implementation::analyse() {
  const Stopwatch watch;
  interruption.check("analysis", 0);
  api::accept_matrix(A);
  analysis = api::prepare(A, options, report);
  interruption.check("analysis", 1);
  report.analysis_s = watch.s();
  api::require_memory(options, report.predicted_bytes);
}

template <class T>
void Factorization<T>::Implementation::factorize() {
  const Stopwatch watch;
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

/// The loop of a refined solve; other ranks than 0 only take part in the substitutions.
template <class T>
void Factorization<T>::Implementation::refine(comm::Rank& rank, int place, api::Refinement<T>* refinement) {
  for (;;) {
    const Index columns = api::from_root(rank, refinement ? refinement->active() : Index{0});
    if (columns == 0) return;
    if (refinement) interruption.check("solve", 0);
    shares[place].solve(rank, refinement ? refinement->residuals() : nullptr,
                        refinement ? refinement->corrections() : nullptr, columns);
    if (refinement) refinement->advance();
  }
}

template <class T>
Solution<T> Factorization<T>::Implementation::solve(std::span<const T> b, Index nrhs) {
  const Stopwatch watch;
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  const api::RefinementLimits limits{
      .steps = options.refinement_steps,
      .target = options.refinement_target > 0 ? options.refinement_target : 2 * eps};
  Solution<T> solution;
  session->run([&](comm::Rank& rank, int place) {
    if (rank.rank() != 0) {
      refine(rank, place, nullptr);
    } else {
      require_right_hand_sides(b, A.rows, nrhs);
      solution.x.resize(b.size());
      api::Refinement<T> refinement(A, b, std::span<T>(solution.x), nrhs, limits);
      refine(rank, place, &refinement);
      api::take(report, refinement.results());
    }
    const double error = api::from_root(rank, report.backward_error);
    if (place == 0) report.backward_error = error;
    if (session->local_ranks() < session->ranks()) share(rank, solution.x);
    if (options.trace) session->gather_record(rank, place);
  });
  api::judge(report, eps, options, more_accuracy(options));
  report.solve_s = watch.s();
  solution.report = report;
  return solution;
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
  typename Factorization<T>::Implementation factors(std::move(A), options);
  return factors.solve(b, factors.A.rows > 0 ? static_cast<Index>(b.size()) / factors.A.rows : 1);
}

template <class T>
Report plan(SparseMatrix<T> A, const Options& options) {
  check(options);
  Report report;
  const Stopwatch watch;
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
