#include "api/iterative/iteration.hpp"
#include "api/refine/driven_solves.hpp"
#include "api/refine/flexible_cg.hpp"
#include "api/refine/flexible_gmres.hpp"
#include "api/words/option_use.hpp"
#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "kernels/product/vectors.hpp"
#include "kernels/sparse/spmv.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace overlapack::iterative {

namespace {

constexpr int cycle = 60;  ///< vectors that GMRES keeps before it begins anew

}  // namespace

/// The loop of FlexibleGmres and FlexibleCg on rank 0.
template <class T>
template <class Krylov>
void Iteration<T>::Implementation::run_krylov(Krylov& krylov, const IterationPlan& plan,
                                              const std::function<void(const T* r, T* z)>& precondition) {
  while (krylov.active_columns() > 0) {
    const bool solves = krylov.is_next_step_solve();
    if (plan.before_iteration) plan.before_iteration();
    if (solves) precondition(krylov.residual(), krylov.corrections());
    krylov.advance();
    if (!solves && plan.on_progress)
      plan.on_progress({.iteration = krylov.steps(), .residual = krylov.error().sum(), .is_true = true});
  }
}

/// The start of a Krylov method, on rank 0: x0, or zeros. If the coarse level saves work in the sweeps, it is corrected to x0 + C (b - A x0).
template <class T>
std::vector<T> Iteration<T>::Implementation::start_of_krylov(comm::Rank& leaders, RankShare& here,
                                                             std::span<const T> b, std::span<const T> x0,
                                                             std::span<const double> row_max) {
  std::vector<T> x(b.size());
  std::ranges::copy(x0, x.begin());
  if (!here.operation || !here.operation->is_balanced()) return x;
  std::vector<T> rest(b.begin(), b.end());
  if (!x0.empty()) api::residual<T>(A_, row_max, b, x0, rest);
  here.operation->start(leaders, rest.data(), rest.data());
  kernels::add_multiple_to<T>(x, T(1), rest);
  return x;
}

/// Flexible GMRES or CG on rank 0, with the iterations of all ranks as their preconditioner.
template <class T>
void Iteration<T>::Implementation::solve_by_krylov(comm::Rank& leaders, RankShare& here, std::span<const T> b,
                                                   std::span<const T> x0, api::ResidualHistory& history,
                                                   Columns& column) {
  const bool is_root = leaders.rank() == 0;
  int steps = 0;
  const std::vector<double> row_max = is_root ? api::row_maxima(A_) : std::vector<double>();
  const auto coarse_solves = [&] { return here.operation ? here.operation->coarse_solves() : 0; };
  const Index solves_before = coarse_solves();
  column.x = start_of_krylov(leaders, here, b, x0, row_max);
  const auto on_root = [&](const api::DrivenSolve<T>& solve) {
    const api::Residuals<T> residuals = [&](std::span<const api::ResidualColumn<T>> columns) {
      std::vector<api::BackwardError> errors = api::residuals<T>(A_, row_max, columns, {});
      for (api::BackwardError& e : errors)
        e.strict = e.omega1 = e.relative_residual, e.omega2 = 0;  // judged by
      return errors;
    };
    const double eps = std::numeric_limits<Real<T>>::epsilon();
    const api::KrylovLimits limits{
        .steps = static_cast<int>(std::min<Index>(plan_.max_iterations, 1000000000)),
        .restart = cycle,
        .target = plan_.tolerance,
        .is_of_norms = true,
        .is_fixed = uses_operator() && options.multisplitting.inner != InnerSolve::conjugate_gradients,
        .reduction = std::max(plan_.tolerance / 2, 8 * eps)};
    const api::Product<T> multiply = [&](std::span<const T> z, std::span<T> y) {
      if (A_.symmetry == Symmetry::general)
        kernels::spmv<T>(A_, z, y);
      else  // rows are columns, along which sums need no scattered stores
        kernels::spmv_trans<T>(A_, A_.symmetry == Symmetry::hermitian, z, y);
    };
    const IterationPlan plan = history.plan_with_recording(leaders, plan_);
    const auto go_on = [&](auto krylov) {
      run_krylov(krylov, plan, [&](const T* r, T* z) {
        std::copy_n(r, b.size(), z);
        solve(kernels::Op::none, z, 1);
      });
      steps = krylov.steps();
    };
    if (api::accelerator_of(options) == Accelerator::cg)
      go_on(api::FlexibleCg<T>(residuals, b, column.x, limits, multiply));
    else
      go_on(api::FlexibleGmres<T>(residuals, b, column.x, limits, multiply));
  };
  api::drive_solves<T>(
      leaders,
      [&](kernels::Op, const T* r, T* z, Index) {
        apply_preconditioner(leaders, here, r, z, false, Right::behind_start);
      },
      on_root);
  const Index all = api::broadcast_from_root(leaders, Index{steps});
  column.totals.iterations_of_rank.assign(static_cast<std::size_t>(leaders.size()), all);
  column.totals.has_stagnated = all < plan_.max_iterations;
  column.totals.coarse_solves = coarse_solves() - solves_before;
  if (!is_root) column.x.clear();
}

#define OVERLAPACK_INSTANTIATE(T)                              \
  template void Iteration<T>::Implementation::solve_by_krylov( \
      comm::Rank&, RankShare&, std::span<const T>, std::span<const T>, api::ResidualHistory&, Columns&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::iterative
