#include "api/refine/weak_verdict.hpp"
#include "api/sparse/factorization.hpp"
#include "base/instantiate.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

/// Decides, if pivots are rounding or their sizes are hidden, whether A is singular and whether x is an answer
/// (docs/decisions/0031-singular-is-proved.md).
namespace overlapack {
namespace {

/// Describes the smallest pivot: "column 17 and row 5 (from 0), 3.1e-17 of the size of its row or column".
std::string weak_pivot_text(const sparse::SmallestPivot& pivot) {
  const std::string share =
      pivot.share > 0 ? "is " + sparse::scientific(pivot.share) + " of the size of its row or column"
                      : std::string("is zero");
  return "the pivot of unknown (column) " + std::to_string(pivot.col) + " in equation (row) " +
         std::to_string(pivot.row) + ", from 0, " + share;
}

/// End a solve as ill_conditioned, since any multiple of a null vector may be added to x.
/// hidden: why the pivots do not show that A is singular, for the message of the report
void end_beside_null_vector(Report& report, const api::Nearness& singularity, const std::string& hidden) {
  report.status = Status::ill_conditioned;
  report.forward_error_bound = unknown;  // any multiple of v may be added
  report.message = api::singular_text(singularity) + ". " + api::answer_text(hidden);
}

void end_ill_conditioned(Report& report, double distance, double bound, const std::string& hidden) {
  report.status = Status::ill_conditioned;
  report.condition_estimate = 1 / distance;
  report.forward_error_bound = bound;
  report.message = "the matrix is ill conditioned: " + hidden + ", the backward error " +
                   sparse::scientific(report.backward_error) + ", its condition number about " +
                   sparse::scientific(report.condition_estimate) + ", the error of x about " +
                   sparse::scientific(bound) +
                   " at most; where the last digits of its numbers are not known, nor is x";
}

}  // namespace

template <class T>
const api::Singularity<T>& Factorization<T>::Implementation::singularity() {
  if (singularity_) return *singularity_;
  const api::AppliedMatrix<T> A_itself(*session, A, slabs, Transpose::none, row_max());
  const api::AppliedMatrix<T> A_adjoint(*session, A, slabs, Transpose::conj_trans, row_max());
  const api::NullProblem<T> problem{
      .n = session->has_root() ? static_cast<std::size_t>(facts_.n) : 0,
      .solve =
          [&](kernels::Op op, std::span<T> x) {
            session->run([&](comm::Rank& rank, int position) {
              T* const mine = rank.rank() == 0 ? x.data() : nullptr;
              substitute(rank, position, op, mine, mine, 1);
            });
          },
      .multiply =
          [&](kernels::Op op, std::span<const T> v, std::span<T> product, std::span<Real<T>> weight) {
            (op == kernels::Op::none ? A_itself : A_adjoint).multiply(v, product, weight);
          }};
  singularity_ = api::find_null_vectors<T>(*session, problem);
  api::write_singularity(report, *singularity_);
  return *singularity_;
}

template <class T>
void Factorization<T>::Implementation::test_solution_with_weak_pivots(const api::AppliedMatrix<T>& op_A,
                                                                      Transpose op, std::span<const T> b,
                                                                      std::span<T> x, Index nrhs) {
  nrhs = api::broadcast_from_root(*session, nrhs);
  const auto rows = session->has_root() ? static_cast<std::size_t>(facts_.n) : 0;  // b and x are on rank 0
  api::test_weak_solution<T>(
      report, {.session = *session,
               .options = options,
               .pivot = weak_pivot_text(stats().smallest),
               .may_keep_nulls = true,
               .op = op,
               .n = facts_.n,
               .nrhs = nrhs,
               .b = b,
               .x = x,
               .residual_rounding =
                   is_distributed() ? api::rounding_of_wide<T>() : kernels::rounding_of_longest_residual<T>(),
               .fit =
                   [&](Index column) {
                     const std::size_t first = static_cast<std::size_t>(column) * rows;
                     const std::span<const T> own_b = b.subspan(first, rows), own_x = x.subspan(first, rows);
                     const auto measured = op_A.measure(own_b, own_x);
                     return typename api::WeakSystem<T>::Fit{
                         measured.error.sum(), measured.residual_share,
                         api::hidden_share<T>(op_A.row_max(), own_b, own_x, api::rounding_of_wide<T>())};
                   },
               .singularity = [&]() -> const api::Singularity<T>& { return singularity(); },
               .condition = [&] { return estimated_reciprocal_condition(); }});
}

template <class T>
bool Factorization<T>::Implementation::has_inexact_factors() const {
  return is_single_ || has_hidden_pivots() || stats().pivots.zero > 0;
}

template <class T>
bool Factorization<T>::Implementation::has_hidden_pivots() const {
  return stats().pivots.perturbed > 0 || stats().blocks_compressed > 0 || plan_->sign_shift > 0;
}

template <class T>
double Factorization<T>::Implementation::error_beside_null_vector(const api::AppliedMatrix<T>& op_A,
                                                                  Transpose op, std::span<const T> b,
                                                                  std::span<const T> x, Index nrhs) {
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  const auto rows = session->has_root() ? static_cast<std::size_t>(facts_.n) : 0;
  double bound = 0;
  for (Index column = 0; column < nrhs; ++column) {
    const std::size_t first = static_cast<std::size_t>(column) * rows;
    const auto own_x = x.subspan(first, rows);
    const auto measured = op_A.measure(b.subspan(first, rows), own_x);
    if (!session->has_root()) continue;
    const double error = 2 * std::max(measured.error.sum(), eps);
    const double own = api::error_beside_null_vector<T>(singularity(), op, error, measured.weights, own_x);
    if (!(own <= bound)) bound = own;
  }
  return api::broadcast_from_root(*session, bound);
}

template <class T>
void Factorization<T>::Implementation::test_hidden_pivots(const api::AppliedMatrix<T>& op_A, Transpose op,
                                                          std::span<const T> b, std::span<const T> x,
                                                          Index nrhs, double change_by_digits) {
  nrhs = api::broadcast_from_root(*session, nrhs);
  const auto rows = session->has_root() ? static_cast<std::size_t>(facts_.n) : 0;  // b and x are on rank 0
  double share = 0, defect = 0;
  for (Index column = 0; column < nrhs; ++column) {
    const std::size_t first = static_cast<std::size_t>(column) * rows;
    const double own = op_A.measure(b.subspan(first, rows), x.subspan(first, rows)).residual_share;
    if (!(own <= share)) share = own;
  }
  share = api::broadcast_from_root(*session, share);
  const bool fits = share <= api::most_residual_share<T>();
  const double eps = std::numeric_limits<Real<T>>::epsilon();
  const double replaced = std::max(plan_->perturbation, sparse::singular_share<T>(*plan_));
  const bool is_moved = fits && change_by_digits > plan_->share_of_replaced * eps / replaced;
  if (fits && !is_moved && api::broadcast_from_root(*session, report.gmres_steps) == 0)
    return;  // b outside of the range would not fit so
  const bool is_singular = singularity().is_singular();
  for (Index column = 0; is_singular && session->has_root() && column < nrhs; ++column)
    defect = std::max(defect, api::range_defect(singularity(), op,
                                                b.subspan(static_cast<std::size_t>(column) * rows, rows)));
  defect = api::broadcast_from_root(*session, defect);
  const bool is_answer = fits && !(defect > api::rounding_of_range<T>());
  if (is_answer && !is_moved) return;
  const bool is_static = stats().blocks_compressed == 0 || stats().pivots.perturbed > 0;
  const std::string hidden =
      (is_static ? facts_.has_signs ? "pivots were replaced or shifted" : "pivots were replaced"
                 : "compression hides small pivots") +
      std::string(", and the residual is ") + sparse::scientific(share) + " of the right-hand side";
  if (is_answer && is_singular) return end_beside_null_vector(report, singularity(), hidden);
  const double distance = singularity().distance;
  const bool is_explained = distance > 0 && share <= 1000 * eps / distance;  // by the condition number
  if (!is_singular && (is_answer || is_explained)) {
    const double bound = error_beside_null_vector(op_A, op, b, x, nrhs);
    const double most = api::rough_by_replaced * api::worst_over_sample * api::most_error_of_x<T>();
    const bool is_known = is_answer && bound <= most;
    if (!is_known) end_ill_conditioned(report, distance, bound, hidden);
    return;
  }
  const char* remedy = !is_static          ? "compression none"
                       : facts_.uses_nodes ? "method multifrontal"
                       : facts_.has_signs  ? "factorization ldlt"
                                           : "perturbation 0";
  report.status = Status::inaccurate;
  report.message =
      hidden + "; " +
      (is_singular ? api::singular_text(singularity()) + ". Use " : "the matrix may be singular; use ") +
      remedy;
}

template <class T>
bool Factorization<T>::Implementation::is_proved_singular() {
  const PivotFigures& pivots = stats().pivots;
  const bool is_suspect = pivots.rounding > 0 || (pivots.perturbed > 0 && !facts_.has_signs);
  return pivots.zero > 0 || (is_suspect && singularity().is_singular());
}

template <class T>
void Factorization<T>::Implementation::require_sure_pivots() {
  if (stats().pivots.rounding == 0) return;
  const bool is_singular = singularity().is_singular();
  if (!is_singular && stats().pivots.zero == 0) return;
  api::refuse_singular(is_singular
                           ? api::singular_text(singularity())
                           : "the factors are not those of the matrix: " + weak_pivot_text(stats().smallest),
                       true);
}

template <class T>
void Factorization<T>::Implementation::judge_inverse() {
  const bool is_doubtful = stats().pivots.rounding > 0;
  report.status = is_doubtful ? Status::ill_conditioned : Status::ok;
  report.message = is_doubtful
                       ? "entries of the inverse may be far off, since " + weak_pivot_text(stats().smallest) +
                             "; solve for their columns, which refines and tests them"
                       : "";
}

#define OVERLAPACK_INSTANTIATE(T)                                                                      \
  template const api::Singularity<T>& Factorization<T>::Implementation::singularity();                 \
  template void Factorization<T>::Implementation::test_solution_with_weak_pivots(                      \
      const api::AppliedMatrix<T>&, Transpose, std::span<const T>, std::span<T>, Index);               \
  template bool Factorization<T>::Implementation::has_inexact_factors() const;                         \
  template bool Factorization<T>::Implementation::has_hidden_pivots() const;                           \
  template void Factorization<T>::Implementation::test_hidden_pivots(                                  \
      const api::AppliedMatrix<T>&, Transpose, std::span<const T>, std::span<const T>, Index, double); \
  template double Factorization<T>::Implementation::error_beside_null_vector(                          \
      const api::AppliedMatrix<T>&, Transpose, std::span<const T>, std::span<const T>, Index);         \
  template bool Factorization<T>::Implementation::is_proved_singular();                                \
  template void Factorization<T>::Implementation::require_sure_pivots();                               \
  template void Factorization<T>::Implementation::judge_inverse();
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
