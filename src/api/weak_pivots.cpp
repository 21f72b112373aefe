#include "api/factorization.hpp"
#include "base/instantiate.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>

/// Where pivots are rounding: is x an answer all the same? (docs/decisions/0023-singular-or-ill-conditioned.md)
namespace overlapack {
namespace {

/// A matrix is regular below it: a pivot was small because no threshold kept it from that.
template <class T>
const double regular_condition = 1 / std::sqrt(std::numeric_limits<Real<T>>::epsilon());

/// "column 17 and row 5 (from 0), 3.1e-17 of the size of its row or column"
std::string weak_pivot_text(const sparse::SmallestPivot& pivot) {
  const std::string share =
      pivot.share > 0 ? "is " + sparse::scientific(pivot.share) + " of the size of its row or column"
                      : std::string("is zero");
  return "the pivot of unknown (column) " + std::to_string(pivot.col) + " in equation (row) " +
         std::to_string(pivot.row) + ", from 0, " + share;
}

struct ResidualShare {
  double most = 0;  ///< AppliedMatrix::Measured, of the worst right-hand side
  Index column = 0;
};

/// On every process.
template <class T>
ResidualShare residual_share(api::Session& session, const api::AppliedMatrix<T>& op_A, std::span<const T> b,
                             std::span<const T> x, Index n, Index nrhs) {
  session.run([&](comm::Rank& rank, int place) {
    const Index columns = api::from_root(rank, nrhs);
    if (place == 0) nrhs = columns;
  });
  ResidualShare worst;
  const auto rows = session.has_root() ? static_cast<std::size_t>(n) : 0;  // b and x are there
  for (Index column = 0; column < nrhs; ++column) {
    const std::size_t first = static_cast<std::size_t>(column) * rows;
    const double share = op_A.measure(b.subspan(first, rows), x.subspan(first, rows)).residual_share;
    if (share > worst.most || std::isnan(share)) worst = {share, column};
  }
  session.run([&](comm::Rank& rank, int place) {
    const ResidualShare known = api::from_root(rank, worst);
    if (place == 0) worst = known;
  });
  return worst;
}

std::string share_text(ResidualShare share, Index nrhs) {
  return "the residual " +
         std::string(nrhs > 1 ? "of column " + std::to_string(share.column) + " (from 0) " : "") + "is " +
         sparse::scientific(share.most) + " of the right-hand side";
}

}  // namespace

template <class T>
void Factorization<T>::Implementation::settle_weak_pivots(const api::AppliedMatrix<T>& op_A,
                                                          std::span<const T> b, std::span<const T> x,
                                                          Index nrhs) {
  const std::string pivot = weak_pivot_text(stats().smallest);
  const ResidualShare share = residual_share(*session, op_A, b, x, facts_.n, nrhs);
  const bool is_answer = report.status == Status::ok && share.most <= api::most_residual_share<T>();
  const std::string fit =
      share_text(share, nrhs) + ", the backward error " + sparse::scientific(report.backward_error);
  if (!is_answer) {
    report.status = Status::singular;
    report.message = "the matrix is numerically singular (" + pivot +
                     "), and this system has no solution: " + fit +
                     "; check the model for missing constraints or dependent equations, or factorise with "
                     "null_pivots";
    throw Error(ErrorKind::singular, "solve", report.message);
  }
  if (std::isnan(report.condition_estimate)) reciprocal_condition();
  if (report.condition_estimate < regular_condition<T>) return;
  report.status = Status::ill_conditioned;
  report.message = "the matrix cannot be told from a singular one: " + pivot +
                   (std::isfinite(report.condition_estimate)
                        ? ", its condition number about " + sparse::scientific(report.condition_estimate)
                        : std::string()) +
                   "; " + fit +
                   ": x is an answer, but so may others be that are far from it; check the model around this "
                   "unknown, or factorise with null_pivots";
}

template <class T>
bool Factorization<T>::Implementation::hides_pivots() const {
  return stats().perturbed > 0 || sparse::front_counts_of(stats()).blocks_compressed > 0;
}

template <class T>
void Factorization<T>::Implementation::doubt_hidden_pivots(const api::AppliedMatrix<T>& op_A,
                                                           std::span<const T> b, std::span<const T> x,
                                                           Index nrhs) {
  const ResidualShare share = residual_share(*session, op_A, b, x, facts_.n, nrhs);
  if (share.most <= api::most_residual_share<T>()) return;
  const bool is_static = stats().perturbed > 0;
  const char* remedy = !is_static          ? "compression none"
                       : facts_.uses_nodes ? "method multifrontal"
                                           : "perturbation 0";
  report.status = Status::inaccurate;
  report.message = std::string(is_static ? "pivots were replaced" : "compression hides small pivots") +
                   ", and " + share_text(share, nrhs) + ": the matrix may be singular; use " + remedy;
}

template <class T>
void Factorization<T>::Implementation::require_sure_pivots(const char* what) const {
  if (stats().rounding_pivots == 0) return;
  throw Error(ErrorKind::singular, what,
              "the matrix is numerically singular (" + weak_pivot_text(stats().smallest) +
                  "): its factors solve some systems, but do not tell this; factorise with null_pivots");
}

#define OVERLAPACK_INSTANTIATE(T)                                                   \
  template void Factorization<T>::Implementation::settle_weak_pivots(               \
      const api::AppliedMatrix<T>&, std::span<const T>, std::span<const T>, Index); \
  template bool Factorization<T>::Implementation::hides_pivots() const;             \
  template void Factorization<T>::Implementation::doubt_hidden_pivots(              \
      const api::AppliedMatrix<T>&, std::span<const T>, std::span<const T>, Index); \
  template void Factorization<T>::Implementation::require_sure_pivots(const char*) const;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack
