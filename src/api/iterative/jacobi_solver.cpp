#include "api/iterative/jacobi_solver.hpp"

#include "api/iterative/jacobi_plan.hpp"
#include "api/iterative/jacobi_report.hpp"
#include "api/prepare.hpp"
#include "api/refined_solve.hpp"
#include "api/refinement.hpp"
#include "api/report_figures.hpp"
#include "api/stopwatch.hpp"
#include "iterative/jacobi/convergence_bounds.hpp"
#include "iterative/jacobi/jacobi.hpp"
#include "kernels/operand.hpp"
#include "sparse/analysis/ordering.hpp"

#include <cstdio>

namespace overlapack::iterative {

namespace {

constexpr int bound_steps = 50;            ///< products with A that the bounds may take
constexpr double usual_iterations = 1000;  ///< to tell whether parallel ranks pay

/// Errors  BadPlan where asynchronous iterations cannot converge from every start
void judge_radius(const RadiusBounds& bounds, Variant variant, JacobiFigures& figures) {
  figures.radius_lower = bounds.lower;
  figures.radius_upper = bounds.upper;
  if (bounds.is_convergent()) return;
  char text[320];
  if (bounds.is_divergent() && variant != Variant::sync) {
    std::snprintf(text, sizeof text,
                  "asynchronous Jacobi iterations do not converge on this matrix: the spectral radius of "
                  "|D^-1 (L + U)| is at least "
                  "%.4g, and 1 is too much; use method multifrontal, or variant sync to try",
                  bounds.lower);
    throw Error(ErrorKind::bad_plan, "jacobi", text);
  }
  std::snprintf(text, sizeof text,
                "it is not known whether the iteration converges: the spectral radius of |D^-1 (L + U)| is "
                "between %.6g and %.6g, "
                "and it should be below 1",
                bounds.lower, bounds.upper);
  figures.warning = text;
}

}  // namespace

template <class T>
Jacobi<T>::Implementation::Implementation(SparseMatrix<T> matrix, const Options& chosen)
    : options(chosen), interruption(chosen), plan_(api::jacobi_plan(chosen)), A_(std::move(matrix)) {
  check(options);
  if (options.error_analysis || options.null_pivots)
    throw Error(
        ErrorKind::bad_plan, "jacobi",
        "error_analysis and null_pivots need factors, which jacobi does not make; use method multifrontal");
  if (options.method != "auto" && options.method != "jacobi")
    throw Error(ErrorKind::bad_plan, "jacobi",
                "method is \"" + options.method + "\"; use jacobi, or call factorize");
  plan_.on_progress = api::progress_of(interruption, plan_.tolerance);
  if (api::engine_name(options) == "mpi") {
    // The team comes first: an error of rank 0, which alone has the matrix, must reach every process.
    session = std::make_unique<api::Session>(options, options.ranks);
    session->run([&](comm::Rank& rank, int) {
      if (rank.rank() == 0) analyse();
    });
  } else {
    analyse();
    const double flops = 2 * usual_iterations * static_cast<double>(A_.nnz());
    session = std::make_unique<api::Session>(options, api::choose_ranks(options, flops));
  }
  report.engine = api::engine_name(options);
  report.ranks = session->ranks();
  report.workers = options.workers;
  require_plan(plan_, session->ranks(), ScalarTraits<T>::is_complex);
  api::describe(report, plan_);
  deal();
}

/// The matrix is as it should be, and the iteration may converge on it.
template <class T>
void Jacobi<T>::Implementation::analyse() {
  const api::Stopwatch watch;
  interruption.check("analysis", 0);
  api::accept_matrix(A_);
  report.n = A_.rows;
  report.nnz = A_.nnz();
  report.type = api::name(ScalarTraits<T>::type);
  report.symmetry = api::name(A_.symmetry);
  diagonal_of(A_);
  interruption.check("analysis", 1);
  report.analysis_s = watch.s();
}

template <class T>
void Jacobi<T>::Implementation::deal() {
  const api::Stopwatch watch;
  blocks_.resize(static_cast<std::size_t>(session->local_ranks()));
  session->run([&](comm::Rank& rank, int place) {
    const bool is_root = rank.rank() == 0;
    std::vector<int> owner;
    if (is_root) {
      judge_radius(bound_radius(A_, bound_steps), plan_.variant, *report.jacobi);
      owner = sparse::metis_partition(sparse::symmetrised_graph(A_.start, A_.row, {}), rank.size());
    }
    blocks_[place] = std::make_unique<MatrixBlock<T>>(rank, is_root ? &A_ : nullptr, owner);
  });
  report.analysis_s += watch.s();
}

template <class T>
Solution<T> Jacobi<T>::Implementation::solve(std::span<const T> b, Index nrhs) {
  const api::Stopwatch watch;
  std::vector<T> x;
  bool has_diverged = false;
  session->run([&](comm::Rank& rank, int place) {
    session->clear_record(place);
    const bool is_root = rank.rank() == 0;
    if (is_root) api::require_right_hand_sides(b, A_.rows, nrhs);
    const Index columns = api::from_root(rank, nrhs);
    std::vector<T> all;
    for (Index k = 0; k < columns; ++k) {
      blocks_[place]->take_source(rank, is_root ? b.data() + k * A_.rows : nullptr);
      const JacobiResult<T> result = jacobi(rank, *blocks_[place], plan_);
      api::JacobiTotals totals = api::totals(rank, result);
      const std::vector<T> column = blocks_[place]->collect(rank, result.x);
      if (is_root) {  // the residual of what is returned, from the matrix as it was given
        std::vector<T> r(column.size());
        const auto error =
            api::residual<T>(A_, api::row_maxima(A_), b.subspan(k * A_.rows, column.size()), column, r);
        report.backward_error = error.sum();
        report.omega1 = error.omega1;
        report.omega2 = error.omega2;
      }
      if (place == 0) {
        api::take(report, totals, k == 0);
        has_diverged = has_diverged || totals.has_diverged;
      }
      all.insert(all.end(), column.begin(), column.end());
    }
    if (session->local_ranks() < session->ranks()) api::share(rank, all);
    session->gather_record(rank, place);
    if (place == 0) x = std::move(all);
  });
  api::take(report, trace::summarise(session->timeline()));
  api::judge_iteration(report, has_diverged);
  report.solve_s = watch.s();
  return {std::move(x), report};
}

template <class T>
Jacobi<T>::Jacobi(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
template <class T>
Jacobi<T>::Jacobi(Jacobi&&) noexcept = default;
template <class T>
Jacobi<T>& Jacobi<T>::operator=(Jacobi&&) noexcept = default;
template <class T>
Jacobi<T>::~Jacobi() = default;

template <class T>
Solution<T> Jacobi<T>::solve(std::span<const T> b, Index nrhs) {
  implementation_->interruption.restart();
  return implementation_->solve(b, nrhs);
}

template <class T>
const Report& Jacobi<T>::report() const {
  return implementation_->report;
}

template <class T>
const trace::Timeline& Jacobi<T>::timeline() const {
  return implementation_->session->timeline();
}

template <class T>
Jacobi<T> jacobi(SparseMatrix<T> A, const Options& options) {
  return Jacobi<T>(std::make_unique<typename Jacobi<T>::Implementation>(std::move(A), options));
}

#define INSTANTIATE(T)      \
  template class Jacobi<T>; \
  template Jacobi<T> jacobi(SparseMatrix<T>, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::iterative
