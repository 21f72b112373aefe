#include "api/dense/lu_factorization.hpp"

#include "api/dense/dense_report.hpp"
#include "api/dense/replicated.hpp"
#include "api/plan/prepare.hpp"
#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "dense/check/one_norm_estimate.hpp"
#include "dense/lu/panel/diagonal.hpp"
#include "dense/lu/solve/determinant.hpp"
#include "kernels/product/blas_threads.hpp"
#include "sparse/factors/factor_plan.hpp"
#include "sparse/factors/pivot_test.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace overlapack::dense {
namespace {

template <class T>
void require_options(const Options& options) {
  api::require_dense_options(options, FactorKind::lu);
  if (options.precision == Precision::mixed && std::is_same_v<Real<T>, float>)
    throw Error(Status::bad_plan,
                "precision is mixed, but the matrix is in single precision already; use working");
}

template <class T>
api::DenseKind kind_of_lu(const Options& options) {
  require_options<T>(options);
  return {.factorization = FactorKind::lu,
          .factor_bytes = sizeof(T) + (options.precision == Precision::mixed ? sizeof(Single<T>) : 0),
          .flops = [](Index, Index n, bool is_complex) { return api::lu_flops(n, is_complex); }};
}

}  // namespace

template <class T>
LuFactorization<T>::Implementation::Implementation(View<T> A, const Options& options, Lent lent)
    : api::SessionSystem<T>(options, kind_of_lu<T>(options)) {
  this->distribute(A, options.precision == Precision::mixed ? Lent::until_distributed : lent);
  factorize();
}

template <class T>
LuFactorization<T>::Implementation::Implementation(const Layout& layout, View<T> mine, const Options& options)
    : api::SessionSystem<T>(options, kind_of_lu<T>(options)) {
  this->distribute(layout, mine);
  factorize();
}

template <class T>
template <class F>
FactorResult LuFactorization<T>::Implementation::factorize_in_precision(comm::Rank& rank, int position,
                                                                        LuShare<F>& factors) {
  factors.LU = matrix_to_overwrite<F>(rank, position);
  const dist::DistributedMatrix<F> LU = factors.LU.view();
  for (Index i = 0; i < LU.local.rows && !row_scale_.empty(); ++i)
    for (Index j = 0; j < LU.local.cols; ++j)
      LU.local(i, j) *= static_cast<Real<F>>(row_scale_[LU.rows.global({i}, LU.me.row).value]);
  factors.pivots.assign(static_cast<std::size_t>(this->n_), 0);
  LuPlan plan = this->plan_.lu;
  if (rank.rank() == 0) plan.on_progress = [&](double share) { this->report_progress(share); };
  FactorResult result = lu_factor(rank, factors.LU.view(), std::span<Index>(factors.pivots), plan);
  api::sum_counters_over_ranks(rank, result);
  return result;
}

template <class T>
void LuFactorization<T>::Implementation::choose_row_scale() {
  using Limits = std::numeric_limits<Real<T>>;
  const auto is_extreme = [](double size) {
    return size > 0 && !(size > 1 / static_cast<double>(Limits::max() / 16) &&
                         size < 1 / static_cast<double>(Limits::min()));
  };
  row_scale_.clear();
  if (std::ranges::none_of(this->sizes_.row_max, is_extreme)) return;
  for (const double size : this->sizes_.row_max)
    row_scale_.push_back(static_cast<Real<T>>(
        size > 0
            ? std::ldexp(1.0, std::clamp(-std::ilogb(size), Limits::min_exponent, Limits::max_exponent - 1))
            : 1.0));
}

/// X <- R X, R the scale of the rows.  Shapes  X: n x any
template <class T>
void LuFactorization<T>::Implementation::scale_rows(MatrixView<T> X) const {
  for (Index j = 0; j < X.cols; ++j)
    for (std::size_t i = 0; i < row_scale_.size(); ++i) X(static_cast<Index>(i), j) *= row_scale_[i];
}

/// A in type F, to be overwritten by its factors: the distributed A itself if it is lent until the end, else a copy.
template <class T>
template <class F>
dist::OwnedMatrix<F> LuFactorization<T>::Implementation::matrix_to_overwrite(comm::Rank& rank, int position) {
  if constexpr (std::is_same_v<F, T>)
    if (this->is_lent()) return this->move_out_part(position);
  const dist::DistributedMatrix<T>& A = this->part(position);
  dist::OwnedMatrix<F> copy(this->plan_.grid, rank.rank(), A.rows, A.cols, dist::Content::unset);
  const MatrixView<F> to = copy.view().local;
  for (Index j = 0; j < to.cols; ++j)
    std::transform(A.local.column(j), A.local.column(j) + to.rows, to.column(j),
                   [](const T& a) { return F(a); });
  return copy;
}

template <class T>
void LuFactorization<T>::Implementation::factorize() {
  shares_.resize(static_cast<std::size_t>(this->local_ranks()));
  choose_row_scale();
  if (this->options_.precision != Precision::mixed || !row_scale_.empty()) return factorize_fully();
  bool is_regular = false;
  this->run_factorization([&](comm::Rank& rank, int position) {
    const FactorResult result = factorize_in_precision(rank, position, shares_[position].single);
    const bool is_sure = result.info == 0 && is_regular_by_single_factors(rank, position);
    if (position == 0) is_regular = is_sure;
    return result;
  });
  if (!is_regular) return factorize_fully();
  set_precision(true);
}

/// Whether the factors in single precision prove that A is regular. If they do not, factors in double have to decide.
template <class T>
bool LuFactorization<T>::Implementation::is_regular_by_single_factors(comm::Rank& rank, int position) {
  constexpr double epsilon = std::numeric_limits<Real<Single<T>>>::epsilon();
  const LuShare<Single<T>>& single = shares_[position].single;
  const PivotShare least =
      smallest_pivot_share(rank, this->sizes_, single.LU.view(), std::span<const Index>(single.pivots));
  if (least.share >= api::suspicious_pivot_share(this->n_, epsilon)) return true;
  const double condition = scaled_condition<T>(
      rank, this->part(position), kernels::Op::none, this->sizes_, [&](kernels::Op op, std::span<T> x) {
        substitute_in_single(rank, position, op, {x.data(), this->n_, 1, this->n_});
        api::replicate<T>(rank, this->plan_.grid, x);
      });
  return condition < api::singular_condition(epsilon);
}

/// Factorise in A's own precision. Factors in single precision are freed only after that.
template <class T>
void LuFactorization<T>::Implementation::factorize_fully() {
  this->run_factorization([&](comm::Rank& rank, int position) {
    const FactorResult result = factorize_in_precision(rank, position, shares_[position].full);
    find_weak_pivots(rank, position, result);
    return result;
  });
  for (Share& share : shares_) share.single = {};
  set_precision(false);
  this->require_nonsingular();
}

template <class T>
void LuFactorization<T>::Implementation::set_precision(bool is_single) {
  is_single_ = is_single;
  this->report_.dense->precision =
      api::name(is_single ? ScalarTraits<Single<T>>::type : ScalarTraits<T>::type);
}

template <class T>
void LuFactorization<T>::Implementation::find_weak_pivots(comm::Rank& rank, int position,
                                                          const FactorResult& result) {
  this->set_weak_pivot(position, {});
  if (position == 0) has_zero_pivot_ = result.info != 0;
  const LuShare<T>& full = shares_[position].full;
  if (result.info != 0) replace_zero_pivots(position);
  EntrySizes sizes = this->sizes_;  // of the matrix that was factorised
  for (std::size_t i = 0; i < row_scale_.size(); ++i) {
    sizes.row_max[i] *= static_cast<double>(row_scale_[i]);
    sizes.col_max[i] = std::numeric_limits<double>::infinity();
  }
  const PivotShare least =
      smallest_pivot_share(rank, sizes, full.LU.view(), std::span<const Index>(full.pivots));
  if (least.share >= this->plan_.suspicious_pivot_share && result.info == 0) return;
  const auto pivot = [&](Index column) {
    return "the pivot of column " + std::to_string(column) + ", from 0, ";
  };
  if (result.info != 0) return this->set_weak_pivot(position, pivot(result.info - 1) + "is zero");
  const auto [A, stored] = this->readable(position);
  const auto solve = [&](kernels::Op op, std::span<T> x) {
    this->substitute_everywhere(rank, position, op, x);
  };
  const double condition = scaled_condition<T>(rank, A, stored, this->sizes_, solve);
  if (condition < this->plan_.weak_condition) return;
  this->set_weak_pivot(position, pivot(least.col) + "and row " + std::to_string(least.row) + " is " +
                                     sparse::scientific(least.share) + " of its row and column");
}

/// Replace zero pivots, below which the column is zero, by a share of the largest entry of their column (FactorPlan::zero_pivot).
template <class T>
void LuFactorization<T>::Implementation::replace_zero_pivots(int position) {
  const auto has_zero = [](const std::vector<double>& sizes) {
    return std::ranges::find(sizes, 0.0) - sizes.begin();
  };
  const auto refuse = [&](const char* line, std::ptrdiff_t number) {
    if (number < this->n_)
      throw Error(Status::singular, "the matrix is singular: " + std::string(line) + " " +
                                        std::to_string(number) +
                                        ", from 0, has no entry but zeros; remove it");
  };
  refuse("row", has_zero(this->sizes_.row_max)), refuse("column", has_zero(this->sizes_.col_max));
  const double share = sparse::zero_share<T>({});
  for_my_diagonal(shares_[position].full.LU.view(), [&](Index k, T& pivot) {
    if (pivot != T(0)) return;
    // rows that were scaled have a largest entry of about 1
    const double largest = row_scale_.empty() ? this->sizes_.col_max[static_cast<std::size_t>(k)] : 1;
    pivot = T(static_cast<Real<T>>(share * largest));
  });
}

template <class T>
void LuFactorization<T>::Implementation::substitute(comm::Rank& rank, int position, kernels::Op op,
                                                    MatrixView<T> X) {
  if (is_single_) return substitute_in_single(rank, position, op, X);
  const LuShare<T>& full = shares_[position].full;
  if (op == kernels::Op::none) scale_rows(X);
  lu_solve<T>(rank, op, full.LU.view(), full.pivots, X, this->plan_.lu);
  if (op != kernels::Op::none) scale_rows(X);
}

template <class T>
void LuFactorization<T>::Implementation::substitute_in_single(comm::Rank& rank, int position, kernels::Op op,
                                                              MatrixView<T> X) {
  const LuShare<Single<T>>& single = shares_[position].single;
  api::solve_in_single(rank, op, single.LU.view(), std::span<const Index>(single.pivots), X, this->plan_.lu);
}

template <class T>
Solution<T> LuFactorization<T>::Implementation::solve(std::span<const T> b, Index nrhs, Transpose op) {
  Solution<T> solution = this->solve_and_refine(b, nrhs, op);
  if (!is_single_ || solution.report.status != Status::inaccurate)
    return this->test_solution(b, nrhs, op, std::move(solution));
  factorize_fully();
  return api::SessionSystem<T>::solve(b, nrhs, op);
}

template <class T>
Determinant<T> LuFactorization<T>::Implementation::determinant() {
  if (is_single_) factorize_fully();
  Determinant<T> result;
  this->session().run([&](comm::Rank& rank, int position) {
    const LuShare<T>& share = shares_[position].full;
    const ScaledNumber<T> mine = lu_determinant<T>(rank, share.LU.view(), share.pivots);
    if (position == 0) result = {mine.mantissa, mine.exponent};
  });
  for (const Real<T> scale : row_scale_) result.exponent -= std::ilogb(scale);
  return has_zero_pivot_ ? Determinant<T>{T(0), 0} : result;
}

template <class T>
double LuFactorization<T>::Implementation::reciprocal_condition() {
  if (is_single_) factorize_fully();
  if (has_zero_pivot_) {
    this->report_.condition_estimate = std::numeric_limits<double>::infinity();
    return 0;
  }
  double inverse = 0;
  this->session().run([&](comm::Rank& rank, int position) {
    const double mine = estimate_one_norm<T>(
        this->n_, [&](std::span<T> x) { this->substitute_everywhere(rank, position, kernels::Op::none, x); },
        [&](std::span<T> x) { this->substitute_everywhere(rank, position, kernels::Op::conj_trans, x); });
    if (position == 0) inverse = mine;
  });
  const double condition = this->sizes_.norm_one() * inverse;
  this->report_.condition_estimate = condition;
  return condition > 0 ? 1 / condition : 0;
}

template <class T>
LuFactorization<T> lu_factor(View<T> A, const Options& options) {
  return public_call(call::lu_factor, [&] { return make_public_factors<LuFactorization, T>(A, options); });
}

template <class T>
LuFactorization<T> lu_factor_distributed(const Layout& layout, View<T> mine, const Options& options) {
  return public_call(call::lu_factor,
                     [&] { return make_public_factors<LuFactorization, T>(layout, mine, options); });
}

template <class T>
Solution<T> solve(View<T> A, std::span<const T> b, const Options& options) {
  using Implementation = typename LuFactorization<T>::Implementation;
  const kernels::SingleThreadedBlas for_all_runs;  // set once for all runs
  return public_call(call::solve, [&] {
    Implementation factors(A, options, Implementation::Lent::until_the_end);
    return factors.solve(b, A.rows > 0 ? static_cast<Index>(b.size()) / A.rows : 1, Transpose::none);
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                            \
  template class LuFactorization<T>;                                                         \
  template LuFactorization<T> lu_factor(View<T>, const Options&);                            \
  template LuFactorization<T> lu_factor_distributed(const Layout&, View<T>, const Options&); \
  template Solution<T> solve(View<T>, std::span<const T>, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
