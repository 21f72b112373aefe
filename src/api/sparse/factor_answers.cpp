#include "api/refine/error_analysis.hpp"
#include "api/refine/operation.hpp"
#include "api/refine/orthonormal.hpp"
#include "api/refine/refined_solve.hpp"
#include "api/run/stopwatch.hpp"
#include "api/sparse/factorization.hpp"
#include "base/instantiate.hpp"
#include "kernels/product/norm.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

/// Answers of factors other than solutions: error bounds, determinant, inertia, null space.
namespace overlapack {

template <class T>
void Factorization<T>::Implementation::bound_errors(const api::AppliedMatrix<T>& op_A, Transpose op,
                                                    std::span<const T> b, std::span<const T> x, Index nrhs) {
  if (std::isnan(report.condition_estimate)) estimated_reciprocal_condition();
  const bool is_singular = stats().pivots.rounding > 0 && singularity().is_singular();
  if (stats().pivots.null > 0 || is_singular) return;  // any null vector may be added to x
  const api::Stopwatch watch;
  report.condition_omega1 = report.condition_omega2 = report.forward_error_bound = 0;
  nrhs = api::broadcast_from_root(*session, nrhs);
  const auto n = session->has_root() ? static_cast<std::size_t>(facts_.n) : 0;  // b and x are on rank 0
  for (Index column = 0; column < nrhs; ++column) {
    const std::size_t first = static_cast<std::size_t>(column) * n;
    const auto x_column = x.subspan(first, n);
    const auto measured = op_A.measure(b.subspan(first, n), x_column);
    drive([&](const api::DrivenSolve<T>& solve) {
      const api::ErrorBound bound =
          api::bound_error<T>(measured.error, measured.weights, api::op_of(op), x_column, solve);
      if (bound.forward <= report.forward_error_bound && column > 0) return;
      report.condition_omega1 = bound.condition1;
      report.condition_omega2 = bound.condition2;
      report.forward_error_bound = bound.forward;
    });
  }
  report.solve_s += watch.seconds();
  constexpr double few_digits = 1e-3;  // the error of a dense matrix at weak_condition
  const double bound = api::broadcast_from_root(*session, report.forward_error_bound);
  if (report.status != Status::ok || !(bound > few_digits)) return;
  report.status = Status::ill_conditioned;
  report.message = "the matrix is ill conditioned: the error of x may be " + sparse::scientific(bound) +
                   " of its largest entry, since the condition number is about " +
                   sparse::scientific(report.condition_estimate) +
                   "; where the last digits of its numbers are not known, nor is x";
}

template <class T>
Determinant<T> Factorization<T>::Implementation::determinant() {
  Determinant<T> result;
  require_factors();
  require_full_precision();
  session->run([&](comm::Rank& rank, int position) {
    const dense::ScaledNumber<T> mine = shares_[static_cast<std::size_t>(position)].full->determinant(rank);
    if (position == 0) result = {mine.mantissa, mine.exponent};
  });
  return is_proved_singular() ? Determinant<T>{T(0), 0} : result;
}

template <class T>
double Factorization<T>::Implementation::reciprocal_condition() {
  const double estimated = estimated_reciprocal_condition();
  return is_proved_singular() ? 0 : estimated;
}

template <class T>
double Factorization<T>::Implementation::estimated_reciprocal_condition() {
  require_factors();
  require_full_precision();
  const bool has_zero_pivot = stats().pivots.rounding > 0 && stats().smallest.share == 0;
  if (stats().pivots.null > 0 || has_zero_pivot) {
    report.condition_estimate = std::numeric_limits<double>::infinity();
    return 0;
  }
  double result = 0;
  const api::AppliedMatrix<T> A_itself(*session, A, slabs, Transpose::none, row_max());
  const double unit = kernels::power_of_two_near_largest(A_itself.row_max());
  const double root = api::broadcast_from_root(*session, std::ldexp(1.0, std::ilogb(unit) / 2));
  const double norm = A_itself.one_norm(root * root);
  drive([&](const api::DrivenSolve<T>& solve) {
    result = api::reciprocal_condition<T>(facts_.n, norm, root, solve);
  });
  result = api::broadcast_from_root(*session, result);
  report.condition_estimate = 1 / result;
  return result;
}

template <class T>
Inertia Factorization<T>::Implementation::inertia() {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_plan, message); };
  if (facts_.kind == sparse::FactorKind::lu)
    refuse(
        "the factors are of LU, whose pivots do not show the signs of eigenvalues; factorise a symmetric "
        "matrix with ldlt");
  if (!facts_.has_real_spectrum)
    refuse(
        "the matrix is complex symmetric, and has no inertia, since its eigenvalues need not be real; if its "
        "imaginary parts are zero, factorise its real part, at a quarter of the work");
  require_factors();
  require_full_precision();
  require_sure_pivots();
  if (stats().grid_roots > 0 && facts_.kind == sparse::FactorKind::ldlt)
    refuse(
        "all ranks factorised the root by LU, whose pivots do not show the signs of eigenvalues; set root to "
        "sequential, or leave it out, and factorise again");
  const Index negative = stats().pivots.negative, zero = stats().pivots.null;
  return {facts_.n - negative - zero, negative, zero};
}

template <class T>
std::vector<T> Factorization<T>::Implementation::null_space(Transpose op) {
  if (facts_.analysed.method == Method::supernodal &&
      !facts_.is_chosen)  // chosen ones have sure pivots, and no null space
    throw Error(Status::bad_plan,
                "the factors are of method supernodal, which replaces small pivots and finds no null space; "
                "factorise with "
                "null_pivots and method multifrontal");
  require_factors();
  require_full_precision();
  require_sure_pivots();
  const api::AppliedMatrix<T> op_A(*session, A, slabs, op, row_max());
  const Index count = stats().pivots.null;
  std::vector<T> Z;
  if (session->has_root()) Z.resize(static_cast<std::size_t>(facts_.n * count));
  if (count == 0) return Z;
  session->run([&](comm::Rank& rank, int position) {
    shares_[static_cast<std::size_t>(position)].full->null_space(rank, api::op_of(op), Z.data());
  });
  const MatrixView<T> vectors{Z.data(), facts_.n, count, facts_.n};
  // one step of refinement: Z <- Z - A^- (A Z), where the solve leaves the null pivots alone
  std::vector<T> R(Z.size());
  session->run([&](comm::Rank& rank, int position) {
    if (rank.rank() != 0) return op_A.serve_residuals(rank, position, count);
    api::orthonormalise(vectors);
    const std::vector<T> zero(static_cast<std::size_t>(facts_.n));
    std::vector<api::ResidualColumn<T>> columns;
    for (Index j = 0; j < count; ++j) {
      const auto n = static_cast<std::size_t>(facts_.n), first = static_cast<std::size_t>(j) * n;
      columns.push_back({zero, std::span<const T>(Z).subspan(first, n), std::span<T>(R).subspan(first, n)});
    }
    op_A.residuals(rank, position, columns);
  });
  drive([&](const api::DrivenSolve<T>& solve) {
    solve(api::op_of(op), R.data(), count);
    std::ranges::transform(Z, R, Z.begin(), [](const T& z, const T& r) { return z + r; });
    api::orthonormalise(vectors);
  });
  broadcast_vector_from_root(Z);
  return Z;
}

#define OVERLAPACK_INSTANTIATE(T)                                                              \
  template void Factorization<T>::Implementation::bound_errors(                                \
      const api::AppliedMatrix<T>&, Transpose, std::span<const T>, std::span<const T>, Index); \
  template Determinant<T> Factorization<T>::Implementation::determinant();                     \
  template double Factorization<T>::Implementation::reciprocal_condition();                    \
  template double Factorization<T>::Implementation::estimated_reciprocal_condition();          \
  template Inertia Factorization<T>::Implementation::inertia();                                \
  template std::vector<T> Factorization<T>::Implementation::null_space(Transpose);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
