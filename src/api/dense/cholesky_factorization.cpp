#include "api/dense/cholesky_factorization.hpp"

#include "api/dense/dense_report.hpp"
#include "api/dense/replicated.hpp"
#include "api/words/type_names.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "dense/check/one_norm_estimate.hpp"
#include "dense/lu/panel/diagonal.hpp"
#include "dense/lu/solve/condition.hpp"
#include "dense/lu/solve/determinant.hpp"
#include "dense/packed.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace overlapack::dense {
namespace {

/// The operations of a factorisation, n^3 / 3, and of one solve, 2 n^2.
double cholesky_flops(Index, Index n, bool is_complex) {
  const double order = static_cast<double>(n);
  return order * order * (1.0 / 3.0 * order + 2.0) * api::real_operations(is_complex);
}

template <class T>
api::DenseKind kind_of_cholesky(const Options& options, Stored stored) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_plan, message); };
  api::require_dense_options(options, FactorKind::cholesky);
  if (options.precision != Precision::working)
    refuse("precision is \"" + std::string(to_string(options.precision)) +
           "\", but Cholesky works in the type of the matrix; use working");
  const DenseOptions& asked = options.dense;
  const bool has_its_depth = asked.depth == 1 || asked.depth < 0;
  if (asked.schedule.value_or(Schedule::look_ahead) != Schedule::look_ahead || !has_its_depth)
    refuse("schedule is \"" + std::string(to_string(asked.schedule)) + "\" with depth " +
           std::to_string(asked.depth) + ", but Cholesky has lookahead with depth 1 only; use auto");
  if (asked.sync != SyncKind::full)
    refuse("sync is \"" + std::string(to_string(asked.sync)) +
           "\", but Cholesky sends matrices that their receivers do not know of; use full");
  return {.factorization = FactorKind::cholesky,
          .is_hermitian = true,
          .is_whole = stored == Stored::whole,
          .factor_bytes = sizeof(T),
          .flops = cholesky_flops};
}

/// The options with schedule look_ahead, the only one of Cholesky.
Options looking_ahead(Options options) {
  options.dense.schedule = Schedule::look_ahead;
  return options;
}

}  // namespace

template <class T>
CholeskyFactorization<T>::Implementation::Implementation(View<T> A, const Options& options, Stored stored)
    : api::SessionSystem<T>(looking_ahead(options), kind_of_cholesky<T>(options, stored)) {
  this->distribute(A);
  factorize();
}

template <class T>
CholeskyFactorization<T>::Implementation::Implementation(const Layout& layout, View<T> mine,
                                                         const Options& options)
    : api::SessionSystem<T>(looking_ahead(options), kind_of_cholesky<T>(options, Stored::lower)) {
  this->distribute(layout, mine);
  factorize();
}

template <class T>
CholeskyPlan CholeskyFactorization<T>::Implementation::cholesky_plan() const {
  const LuPlan& plan = this->plan_.lu;
  return {.discipline = plan.discipline,
          .messages = plan.messages,
          .world = plan.world,
          .tile = plan.tile,
          .rhs_block = plan.rhs_block,
          .inbox = plan.inbox};
}

template <class T>
void CholeskyFactorization<T>::Implementation::factorize() {
  L_.resize(static_cast<std::size_t>(this->local_ranks()));
  this->run_factorization([&](comm::Rank& rank, int position) {
    const FactorResult result = factorize(rank, position);
    find_weak_pivots(rank, position);
    return result;
  });
  this->require_nonsingular();
}

/// Find out whether A is nearly singular, by the condition number of A scaled to a diagonal of ones. No other scaling of rows and columns makes
/// that number much smaller.
/// Source  van der Sluis 1969; Higham 2002, section 7.3
template <class T>
void CholeskyFactorization<T>::Implementation::find_weak_pivots(comm::Rank& rank, int position) {
  this->set_weak_pivot(position, {});
  std::vector<double> size(static_cast<std::size_t>(this->n_));  // sqrt(a_kk)
  for_my_diagonal(this->part(position), [&](Index k, const T& a) { size[k] = std::sqrt(std::real(a)); });
  comm::collective::all_reduce(rank, std::span<double>(size), std::plus<>());
  PivotShare least{std::numeric_limits<double>::infinity()};
  for_my_diagonal(L_[static_cast<std::size_t>(position)].view(), [&](Index k, const T& l) {
    const double share = std::pow(static_cast<double>(std::abs(l)) / size[k], 2);
    if (!(share >= least.share)) least = {share, k, k};
  });
  least = smallest_over_ranks(rank, least);
  if (least.share >= this->plan_.suspicious_pivot_share) return;
  const auto apply = [&](std::span<T> x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= static_cast<Real<T>>(size[i]);
    this->substitute_everywhere(rank, position, kernels::Op::none, x);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= static_cast<Real<T>>(size[i]);
  };
  // the pivot's share bounds the condition number from below, which the estimate may miss
  const double condition = std::max(estimate_one_norm<T>(this->n_, apply, apply), 1 / least.share);
  if (condition < this->plan_.weak_condition) return;
  this->set_weak_pivot(position, "the pivot of column " + std::to_string(least.col) + ", from 0, is " +
                                     sparse::scientific(least.share) + " of its diagonal entry");
}

template <class T>
FactorResult CholeskyFactorization<T>::Implementation::factorize(comm::Rank& rank, int position) {
  const dist::DistributedMatrix<T>& A = this->part(position);
  dist::OwnedMatrix<T>& L = L_[static_cast<std::size_t>(position)];
  L = dist::OwnedMatrix<T>(this->plan_.grid, rank.rank(), A.rows, A.cols);
  copy_into<T>(A.local, L.view().local);
  CholeskyPlan plan = cholesky_plan();
  if (rank.rank() == 0) plan.on_progress = [&](double share) { this->report_progress(share); };
  FactorResult result = cholesky_factor(rank, L.view(), plan);
  api::sum_counters_over_ranks(rank, result);
  if (result.info != 0)
    throw Error(Status::bad_input, "the matrix is not positive definite: its leading minor of order " +
                                       std::to_string(result.info) +
                                       " is not positive; use lu_factor, or correct the matrix");
  return result;
}

/// Solve op(A) X = B by solves with A only: A^H = A, and A^T X = B is A conj(X) = conj(B).
template <class T>
Solution<T> CholeskyFactorization<T>::Implementation::solve(std::span<const T> b, Index nrhs, Transpose op) {
  const auto solve_with_A = [&](std::span<const T> B) {
    return api::SessionSystem<T>::solve(B, nrhs, Transpose::none);
  };
  if (op != Transpose::trans || !ScalarTraits<T>::is_complex) return solve_with_A(b);
  std::vector<T> B(b.size());
  std::ranges::transform(b, B.begin(), conjugate<T>);
  Solution<T> solution = solve_with_A(B);
  std::ranges::transform(solution.x, solution.x.begin(), conjugate<T>);
  return solution;
}

template <class T>
void CholeskyFactorization<T>::Implementation::substitute(comm::Rank& rank, int position, kernels::Op,
                                                          MatrixView<T> X) {
  cholesky_solve<T>(rank, L_[static_cast<std::size_t>(position)].view(), X, cholesky_plan());
}

/// det A = (det L)^2
template <class T>
Determinant<T> CholeskyFactorization<T>::Implementation::determinant() {
  Determinant<T> result;
  this->session().run([&](comm::Rank& rank, int position) {
    const ScaledNumber<T> root = triangle_determinant<T>(rank, L_[static_cast<std::size_t>(position)].view());
    const ScaledNumber<T> mine = product(root, root);
    if (position == 0) result = {mine.mantissa, mine.exponent};
  });
  return result;
}

template <class T>
double CholeskyFactorization<T>::Implementation::reciprocal_condition() {
  double inverse = 0;
  this->session().run([&](comm::Rank& rank, int position) {
    const auto apply = [&](std::span<T> x) {
      this->substitute_everywhere(rank, position, kernels::Op::none, x);
    };
    const double mine = estimate_one_norm<T>(this->n_, apply, apply);
    if (position == 0) inverse = mine;
  });
  this->report_.condition_estimate = this->sizes_.norm_one() * inverse;
  return 1 / this->report_.condition_estimate;
}

template <class T>
CholeskyFactorization<T> cholesky_factor(View<T> A, const Options& options, Stored stored) {
  return public_call(call::cholesky_factor,
                     [&] { return make_public_factors<CholeskyFactorization, T>(A, options, stored); });
}

template <class T>
CholeskyFactorization<T> cholesky_factor_distributed(const Layout& layout, View<T> mine,
                                                     const Options& options) {
  return public_call(call::cholesky_factor,
                     [&] { return make_public_factors<CholeskyFactorization, T>(layout, mine, options); });
}

#define OVERLAPACK_INSTANTIATE(T)                                                     \
  template class CholeskyFactorization<T>;                                            \
  template CholeskyFactorization<T> cholesky_factor(View<T>, const Options&, Stored); \
  template CholeskyFactorization<T> cholesky_factor_distributed(const Layout&, View<T>, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
