#include "api/plan/compression.hpp"
#include "api/plan/memory_limit.hpp"
#include "api/refine/applied_matrix.hpp"
#include "api/refine/operation.hpp"
#include "api/refine/refined_solve.hpp"
#include "api/refine/report_figures.hpp"
#include "api/refine/weak_verdict.hpp"
#include "api/run/stopwatch.hpp"
#include "api/sparse/factorization.hpp"
#include "base/instantiate.hpp"
#include "comm/team.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <algorithm>
#include <complex>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>

namespace overlapack {
namespace {

std::string more_accuracy(const Options& options, bool has_signs) {
  if (options.method == Method::supernodal)
    return "use method multifrontal, which looks for pivots in whole fronts and delays those that are too "
           "small";
  if (has_signs)
    return "set scaling to ruiz, change regularization, see that signs are those of the matrix, or use "
           "factorization ldlt, which looks for pivots";
  if (options.sparse.perturbation > 0)
    return "leave perturbation out, so that pivots which are too small are delayed, or use matching on, "
           "which "
           "leaves fewer of them";
  if (api::is_compressing(options)) return "lower compression_tolerance or raise gmres_steps";
  char text[120];
  std::snprintf(text, sizeof text, "raise pivot_threshold (now %g) or refinement_steps (now %d)",
                options.sparse.pivot_threshold, options.refinement.steps);
  return text;
}

/// Copy rank 0's x into x of every rank.
/// Errors  BadInput if x has another length on a rank than on rank 0
template <class T>
void share_in_place(comm::Rank& rank, std::span<T> x) {
  std::vector<T> all;
  if (rank.rank() == 0) all.assign(x.begin(), x.end());
  api::broadcast_vector_from_root(rank, all);
  if (all.size() != x.size())
    throw Error(Status::bad_input, "x has room for " + std::to_string(x.size()) + " numbers on rank " +
                                       std::to_string(rank.rank()) + ", but for " +
                                       std::to_string(all.size()) +
                                       " on rank 0; make it as long on every rank");
  std::ranges::copy(all, x.begin());
}

}  // namespace

template <class T>
void Factorization<T>::Implementation::substitute(comm::Rank& rank, int position, kernels::Op op, const T* b,
                                                  T* x, Index columns) {
  Share& mine = shares_[static_cast<std::size_t>(position)];
  if (!is_single_) return mine.full->solve(rank, op, b, x, columns);
  using F = Single<T>;
  const std::size_t n = rank.rank() == 0 ? static_cast<std::size_t>(A.rows) : 0;
  std::vector<F> values(n * static_cast<std::size_t>(columns));
  std::vector<Real<T>> size(static_cast<std::size_t>(columns),
                            Real<T>(1));  // scales, so that no column leaves the range
  for (std::size_t j = 0; n > 0 && j < size.size(); ++j) {
    Real<T> most = 0;
    for (std::size_t i = j * n; i < (j + 1) * n; ++i) most = std::max<Real<T>>(most, std::abs(b[i]));
    if (most > 0) size[j] = most;
    for (std::size_t i = j * n; i < (j + 1) * n; ++i) values[i] = F(b[i] / size[j]);
  }
  mine.single->solve(rank, op, values.data(), values.data(), columns);
  for (std::size_t j = 0; n > 0 && j < size.size(); ++j)
    for (std::size_t i = j * n; i < (j + 1) * n; ++i) x[i] = T(values[i]) * size[j];
}

template <class T>
Solution<T> Factorization<T>::Implementation::solve(std::span<const T> b, Index nrhs, Transpose op,
                                                    bool is_for_all) {
  require_factors();
  if (comm::is_phantom()) return {{}, report};  // no numbers to solve with
  Solution<T> solution = solve_with_factors(b, nrhs, op, is_for_all);
  if (is_single_ && report.status != Status::ok) {
    require_full_precision();
    solution = solve_with_factors(b, nrhs, op, is_for_all);
  }
  if (facts_.is_chosen && report.status == Status::inaccurate) {
    fall_back_on_fronts("a solution was not accurate");
    solution = solve_with_factors(b, nrhs, op, is_for_all);
  }
  while (report.status == Status::inaccurate && factorize_by_next_analysis("a solution was not accurate"))
    solution = solve_with_factors(b, nrhs, op, is_for_all);
  return solution;
}

/// The most steps of GMRES. If the factors are those of another matrix, as many as the options allow. If they are those of A, few steps
/// suffice, since refinement then fails only because A is nearly singular in a few directions.
template <class T>
int Factorization<T>::Implementation::most_gmres_steps() const {
  constexpr int few = 12;
  const RefinementOptions& refinement = options.refinement;
  if (has_inexact_factors()) return refinement.gmres_steps;
  return refinement.steps > 0 ? std::min(refinement.gmres_steps, few) : 0;
}

template <class T>
Solution<T> Factorization<T>::Implementation::solve_with_factors(std::span<const T> b, Index nrhs,
                                                                 Transpose op, bool is_for_all) {
  const api::AppliedMatrix<T> op_A(*session, A, slabs, op, row_max());
  const bool refines_x = stats().pivots.rounding > 0 && !singularity().is_singular();
  const auto sum = refines_x ? kernels::ResidualSum::longest : kernels::ResidualSum::fastest;
  // Otherwise corrections are made with factors of another matrix.
  const bool has_known_pivots = stats().pivots.rounding == 0 && !has_hidden_pivots();
  const bool has_replaced = stats().pivots.perturbed > 0 && !facts_.has_signs && options.refinement.steps > 0;
  api::DigitTest& next = test_[op_A.is_transposed() ? 1 : 0];
  const api::DigitTest test = has_known_pivots ? next
                              : has_replaced   ? api::DigitTest::of_these
                                               : api::DigitTest::none;
  api::DigitChange change;
  const api::FactorizedSystem<T> system{
      .n = A.rows,
      .pass = plan_->fronts.disk.is_used ? std::max(plan_->fronts.disk.rhs_pass, plan_->rhs_block)
                                         : plan_->rhs_block,
      .substitute = [&](comm::Rank& rank, int position, const T* r, T* d,
                        Index columns) { substitute(rank, position, api::op_of(op), r, d, columns); },
      .residuals =
          [&](comm::Rank& rank, int position) {
            return [&, position](std::span<const api::ResidualColumn<T>> columns) {
              return op_A.residuals(rank, position, columns, sum);
            };
          },
      .serve_residuals = [&](comm::Rank& rank, int position,
                             Index columns) { op_A.serve_residuals(rank, position, columns); },
      .more_accuracy = more_accuracy(options, facts_.has_signs),
      .gmres_steps = most_gmres_steps(),
      .gmres_bytes =
          [&] {
            const double held = options.run.memory_limit_bytes > 0 ? stats().factor_bytes : 0;
            return api::memory_limit_bytes(options) - fullest_share_ * held;
          },
      .is_definite = facts_.kind == sparse::FactorKind::cholesky,
      .refines_x = refines_x,
      .judges_x = has_known_pivots,
      .test = test,
      .row_max = op_A.row_max(),
      .digit_change = &change,
      .is_for_all = is_for_all};
  constexpr double epsilon = std::numeric_limits<Real<T>>::epsilon();
  Options chosen = options;
  if (facts_.has_signs && chosen.refinement.accuracy == 0)
    chosen.refinement.accuracy = std::max(plan_->accuracy_with_signs, api::accuracy_of(options, epsilon));
  if (plan_->sign_shift > 0 || stats().pivots.perturbed > 0 ||
      stats().pivots.rounding > 0)  // the factors are those of another matrix
    chosen.refinement.steps = std::max(chosen.refinement.steps, plan_->steps_after_perturbation);
  const auto is_answer = [&] {
    return report.status == Status::ok || report.status == Status::ill_conditioned;
  };
  std::vector<T> x = api::refined_solve(*session, interruption, chosen, system, b, nrhs, report);
  write_factor_counters();
  if (stats().pivots.null > 0) report.forward_error_bound = unknown;  // null vectors may be added to x
  if (!is_answer() && stats().pivots.null > 0)                        // x is the one that is 0 at null pivots
    api::report_no_solution(report,
                            "the matrix is singular at the tolerance of null_pivots, of rank " +
                                std::to_string(facts_.n - stats().pivots.null) + " of " +
                                std::to_string(facts_.n) +
                                ", and this system has no solution: b is not in the range of such a "
                                "matrix, so the backward error "
                                "stays at " +
                                sparse::scientific(report.backward_error) +
                                "; a matrix that is only ill conditioned is solved without null_pivots",
                            true);
  if (stats().pivots.rounding > 0)
    test_solution_with_weak_pivots(op_A, op, b, x, nrhs);
  else if (has_hidden_pivots() && is_answer())
    test_hidden_pivots(op_A, op, b, x, nrhs, change.of_these);
  if (has_known_pivots) next = api::next_test<T>(next, change);
  if (options.refinement.error_analysis && is_answer()) bound_errors(op_A, op, b, x, nrhs);
  return {std::move(x), report};
}

template <class T>
void Factorization<T>::Implementation::substitute(std::span<T> x, Index nrhs, Transpose op) {
  require_factors();
  if (comm::is_phantom()) return;
  const api::Stopwatch watch;
  const bool is_for_all = session->local_ranks() < session->ranks();
  session->run([&](comm::Rank& rank, int position) {
    const bool is_root = rank.rank() == 0;
    if (is_root) api::require_right_hand_sides<T>(x, A.rows, nrhs);
    const Index columns = api::broadcast_from_root(rank, nrhs);
    if (is_root) interruption.report_progress("solve", 0);
    T* const mine = is_root ? x.data() : nullptr;
    if (columns > 0) substitute(rank, position, api::op_of(op), mine, mine, columns);
    if (is_for_all) share_in_place(rank, x);
    if (options.run.trace) session->gather_record(rank, position);
  });
  api::write_unmeasured_errors(report, nrhs);
  report.solve_s = watch.seconds();
  write_factor_counters();
}

template <class T>
void Factorization<T>::Implementation::drive(const std::function<void(const api::DrivenSolve<T>&)>& drive) {
  require_factors();
  session->run([&](comm::Rank& rank, int position) {
    const auto mine = [&](kernels::Op op, const T* b, T* x, Index columns) {
      if (rank.rank() == 0) interruption.report_progress("solve", 0);
      substitute(rank, position, op, b, x, columns);
    };
    api::drive_solves<T>(rank, mine, drive);
  });
  write_factor_counters();
}

template <class T>
void Factorization<T>::Implementation::broadcast_vector_from_root(std::vector<T>& values) {
  if (session->local_ranks() < session->ranks())
    session->run([&](comm::Rank& rank, int) { api::broadcast_vector_from_root(rank, values); });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                           \
  template Solution<T> Factorization<T>::Implementation::solve(std::span<const T>, Index, Transpose, bool); \
  template void Factorization<T>::Implementation::substitute(std::span<T>, Index, Transpose);               \
  template void Factorization<T>::Implementation::drive(                                                    \
      const std::function<void(const api::DrivenSolve<T>&)>&);                                              \
  template void Factorization<T>::Implementation::broadcast_vector_from_root(std::vector<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
