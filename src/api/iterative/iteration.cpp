#include "api/iterative/iteration.hpp"

#include "api/iterative/convergence_doubts.hpp"
#include "api/iterative/iteration_plan.hpp"
#include "api/iterative/preconditioner.hpp"
#include "api/plan/factors_in.hpp"
#include "api/plan/prepare.hpp"
#include "api/run/locked_call.hpp"
#include "api/run/stopwatch.hpp"
#include "api/words/option_use.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "comm/tasks.hpp"
#include "iterative/jacobi/convergence_bounds.hpp"
#include "overlapack/environment.hpp"

#include <algorithm>
#include <optional>

namespace overlapack::iterative {

namespace {

constexpr int bound_steps = 50;            ///< most products with A for the bounds
constexpr double usual_iterations = 1000;  ///< assumed, to decide whether several ranks pay

template <class T>
void require_multisplitting(const SparseMatrix<T>& A, const Options& options) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_plan, message); };
  if (options.sparse.ordering == Ordering::user)
    refuse("ordering user orders the whole matrix, but blocks of it are factorised; use auto, metis or amd");
  constexpr bool is_complex = ScalarTraits<T>::is_complex;
  if (options.multisplitting.inner == InnerSolve::conjugate_gradients &&
      !api::is_self_adjoint(A.symmetry, is_complex))
    refuse("inner is cg, which needs a " +
           std::string(api::name(is_complex ? Symmetry::hermitian : Symmetry::symmetric)) +
           " matrix, but this one is " + std::string(api::name(A.symmetry)) + "; use inner direct");
}

/// `ranks`, rounded down to whole groups unless the caller chose it.
int whole_groups(int ranks, const Options& options) {
  const int group = options.multisplitting.ranks_per_block;
  return options.ranks > 0 ? ranks : std::max(1, ranks / group) * group;
}

template <class T>
bool has_zero_on_diagonal(const SparseMatrix<T>& A) {
  Index diagonal = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) diagonal += A.row[p] == j && A.value[p] != T(0);
  return diagonal < A.cols;
}

/// The plan for values of this type.  Errors  BadPlan for options that the method does not have
iterative::IterationPlan accepted_plan(const Options& options, ScalarType type) {
  check(options);
  const std::string method(to_string(options.method));
  api::require_factors_in_memory(options, method);
  const int ranks_per_block = options.multisplitting.ranks_per_block;
  if (options.method != Method::multisplitting && ranks_per_block > 1)
    throw Error(Status::bad_plan,
                "ranks_per_block is " + std::to_string(ranks_per_block) +
                    ", but Jacobi's method has no blocks to solve with; use method multisplitting");
  if (options.refinement.error_analysis || options.sparse.null_pivots)
    throw Error(Status::bad_plan, "error_analysis and null_pivots need factors of the whole matrix, which " +
                                      method + " does not make; use method multifrontal");
  api::require_preconditioner(options);
  return api::iteration_plan(options, type);
}

}  // namespace

bool is_iterative(std::optional<Method> method) {
  return method == Method::jacobi || method == Method::multisplitting;
}

template <class T>
Iteration<T>::Implementation::Implementation(SparseMatrix<T> matrix, const Options& chosen,
                                             std::span<const T> near_null_space)
    : options(chosen),
      interruption(chosen),
      A_(std::move(matrix)),
      near_null_space_(near_null_space.begin(), near_null_space.end()) {
  refuse_together(options, [&] { plan_ = accepted_plan(options, ScalarTraits<T>::type); });
  if (api::ranks_are_processes(options)) {
    // The team is opened first: an error of rank 0, which alone has the matrix, must reach every process.
    session = std::make_unique<api::Session>(options, options.ranks);
    session->run([&](comm::Rank& rank, int) {
      api::require_same_type(rank, ScalarTraits<T>::type);
      if (rank.rank() == 0) analyse();
    });
  } else {
    analyse();
    const double flops = 2 * usual_iterations * static_cast<double>(A_.nnz());
    session =
        std::make_unique<api::Session>(options, whole_groups(api::choose_ranks(options, flops), options));
  }
  session->write_team(report, options);
  require_groups(session->ranks(), options.multisplitting.ranks_per_block);
  require_plan(plan_, groups(), ScalarTraits<T>::is_complex);
  choose_inner();
  choose_blocks();
  if (is_multisplitting()) require_plan(schwarz_plan(), groups());
  api::write_plan(report, plan_, options, blocks());
  distribute();
}

/// Check the matrix, and that the method suits it.
template <class T>
void Iteration<T>::Implementation::analyse() {
  const api::Stopwatch watch;
  interruption.report_progress("analysis", 0);
  comm::Tasks tasks(api::analysis_threads(options));
  api::check_and_sort_matrix(A_, api::real_valued_as(options), tasks);
  report.n = A_.rows;
  report.nnz = A_.nnz();
  report.type = api::name(ScalarTraits<T>::type);
  report.symmetry = api::name(A_.symmetry);
  require_near_null_space();
  require_definite();
  if (is_multisplitting())
    require_multisplitting(A_, options);
  else
    diagonal_of(A_);
  interruption.report_progress("analysis", 1);
  report.analysis_s = watch.seconds();
}

/// Bound the spectral radius, and set the report's warning if the iteration may not converge. The bound does not apply to blocks that
/// precondition.
template <class T>
void Iteration<T>::Implementation::bound_spectral_radius() {
  if (uses_operator()) return;
  IterationFigures& figures = *report.iteration;
  plan_.is_proven = false;  // what was known of a former matrix does not count
  figures.radius_lower = figures.radius_upper = unknown;
  if (is_multisplitting() && has_zero_on_diagonal(A_)) {
    figures.warning =
        "it is not known whether the iteration converges: there is a zero on the diagonal, so that this is "
        "no H-matrix";
    return;
  }
  const RadiusBounds bounds = bound_radius(A_, api::strong_components, bound_steps);
  figures.radius_lower = bounds.lower;
  figures.radius_upper = bounds.upper;
  // nothing is proven of blocks that are solved with inexactly
  plan_.is_proven =
      bounds.is_convergent && (!is_multisplitting() || options.multisplitting.inner == InnerSolve::direct);
  figures.warning = is_multisplitting() ? api::doubts_of_multisplitting(bounds)
                                        : api::doubts_of_jacobi(bounds, plan_.variant);
}

/// Check the near null space, which only a coarse level reads.
template <class T>
void Iteration<T>::Implementation::require_near_null_space() const {
  const Index n = A_.rows, numbers = std::ssize(near_null_space_);
  if (n > 0 ? numbers % n != 0 : numbers > 0)
    throw Error(Status::bad_input, "the near null space has " + std::to_string(numbers) +
                                       " numbers, which are no columns of " + std::to_string(n) +
                                       "; give n x k numbers, column after column");
  if (!std::ranges::all_of(near_null_space_, is_finite<T>))
    throw Error(Status::bad_input, "the near null space holds NaN or infinity; give finite numbers");
}

template <class T>
void Iteration<T>::Implementation::require_definite() const {
  if (options.iteration.accelerator == Accelerator::cg &&
      !api::is_self_adjoint(A_.symmetry, ScalarTraits<T>::is_complex))
    throw Error(Status::bad_plan,
                "accelerator is cg, which needs a symmetric (complex: Hermitian) positive definite matrix, "
                "but this one is " +
                    std::string(api::name(A_.symmetry)) + "; use gmres");
}

template <class T>
Solution<T> Iteration<T>::solve(std::span<const T> b, Index nrhs, Transpose op) {
  return api::locked_call(call::solve, implementation_->calls, implementation_->interruption, [&] {
    if (op != Transpose::none)
      throw Error(Status::bad_plan,
                  "transpose is set, but an iteration solves with A only; choose a direct method");
    return implementation_->solve(b, {}, nrhs);
  });
}

template <class T>
Solution<T> Iteration<T>::solve_from(std::span<const T> x0, std::span<const T> b, Index nrhs) {
  return api::locked_call(call::solve, implementation_->calls, implementation_->interruption,
                          [&] { return implementation_->solve(b, x0, nrhs); });
}

template <class T>
std::vector<T> Iteration<T>::apply(std::span<const T> b, Index nrhs, Transpose op) {
  return api::locked_call(call::apply, implementation_->calls, implementation_->interruption,
                          [&] { return implementation_->apply(b, nrhs, op); });
}

template <class T>
void Iteration<T>::refactorize(SparseMatrix<T> A) {
  api::locked_call(call::refactorize, implementation_->calls, implementation_->interruption,
                   [&] { implementation_->refactorize(std::move(A)); });
}

template <class T>
void Iteration<T>::agree(const std::function<void()>& check) {
  implementation_->session->agree(check);
}

template <class T>
const Report& Iteration<T>::report() const {
  return implementation_->report;
}

template <class T>
const trace::Timeline& Iteration<T>::timeline() const {
  return implementation_->session->timeline();
}

template <class T>
void Iteration<T>::between_calls(const std::function<void()>& read) const {
  const comm::CallLock turn(implementation_->calls);
  read();
}

namespace {

/// Make an iteration by the method of the options, or by `otherwise` if they name none. only: a method other than `otherwise` is an error.
template <class T>
Iteration<T> iteration_by(Method otherwise, bool only, SparseMatrix<T> A, Options options,
                          std::span<const T> near_null_space = {}) {
  options.method = options.method.value_or(otherwise);
  const bool is_other = only ? options.method != otherwise : !is_iterative(options.method);
  const auto name = options.method == Method::multisplitting ? call::multisplitting : call::jacobi;
  return public_call(name, [&] {
    if (is_other)
      throw Error(Status::bad_plan,
                  "method is \"" + std::string(to_string(options.method)) + "\"; use " +
                      (only ? std::string(to_string(otherwise)) : "jacobi or multisplitting") +
                      ", or call factorize");
    return Iteration<T>(
        make_handle<typename Iteration<T>::Implementation>(std::move(A), options, near_null_space));
  });
}

}  // namespace

template <class T>
Iteration<T> iteration(SparseMatrix<T> A, const Options& options, std::span<const T> near_null_space) {
  return iteration_by(Method::jacobi, false, std::move(A), options, near_null_space);
}

template <class T>
Iteration<T> jacobi(SparseMatrix<T> A, const Options& options) {
  return iteration_by(Method::jacobi, true, std::move(A), options);
}

template <class T>
Iteration<T> multisplitting(SparseMatrix<T> A, const Options& options, std::span<const T> near_null_space) {
  return iteration_by(Method::multisplitting, true, std::move(A), options, near_null_space);
}

#define OVERLAPACK_INSTANTIATE(T)                                                       \
  template class Iteration<T>;                                                          \
  template Iteration<T> iteration(SparseMatrix<T>, const Options&, std::span<const T>); \
  template Iteration<T> jacobi(SparseMatrix<T>, const Options&);                        \
  template Iteration<T> multisplitting(SparseMatrix<T>, const Options&, std::span<const T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
