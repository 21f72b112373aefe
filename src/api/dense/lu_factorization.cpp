#include "api/dense/lu_factorization.hpp"

#include "api/dense/dense_report.hpp"
#include "api/dense/replicated.hpp"
#include "api/prepare.hpp"
#include "api/report_figures.hpp"
#include "api/stopwatch.hpp"
#include "dense/lu/determinant.hpp"
#include "kernels/operand.hpp"

#include <algorithm>
#include <cstdio>

namespace overlapack::dense {
namespace {

template <class T>
void require_options(const Options& options) {
  const auto refuse = [](const std::string& message) {
    throw Error(ErrorKind::bad_plan, "lu_factor", message);
  };
  check(options);
  if (options.method != "auto" && options.method != "dense")
    refuse("method is \"" + options.method +
           "\", but the matrix is dense; use dense, or hand over a sparse matrix");
  if (options.precision == "mixed" && std::is_same_v<Real<T>, float>)
    refuse("precision is mixed, but the matrix is in single precision already; use working");
}

}  // namespace

template <class T>
LuFactorization<T>::Implementation::Implementation(View<T> A, const Options& chosen)
    : options(chosen), interruption(chosen) {
  require_options<T>(options);
  prepare(A);
  factorize();
}

template <class T>
LuFactorization<T>::Implementation::Implementation(const Layout& layout, View<T> mine, const Options& chosen)
    : options(chosen), interruption(chosen) {
  require_options<T>(options);
  prepare(layout, mine);
  factorize();
}

template <class T>
template <class F>
LuResult LuFactorization<T>::Implementation::factorize_as(comm::Rank& rank, int place, LuShare<F>& factors) {
  const dist::DistributedMatrix<T>& A = shares_[place].A.view();
  factors.LU = dist::OwnedMatrix<F>(plan_.grid, rank.rank(), A.rows, A.cols);
  factors.pivots.assign(static_cast<std::size_t>(n_), 0);
  const MatrixView<F> LU = factors.LU.view().local;
  for (Index j = 0; j < LU.cols; ++j)
    std::transform(A.local.column(j), A.local.column(j) + LU.rows, LU.column(j),
                   [](const T& a) { return F(a); });
  LuPlan plan = plan_.lu;
  if (rank.rank() == 0) plan.on_progress = [&](double share) { interruption.check("factorisation", share); };
  LuResult result = lu_factor(rank, factors.LU.view(), std::span<Index>(factors.pivots), plan);
  api::sum_up(rank, result);
  return result;
}

template <class T>
void LuFactorization<T>::Implementation::factorize() {
  if (options.precision != "mixed") return factorize_fully();
  const api::Stopwatch watch;
  LuResult counters;
  session->run([&](comm::Rank& rank, int place) {
    session->clear_record(place);
    const LuResult mine = factorize_as(rank, place, shares_[place].single);
    if (place == 0) counters = mine;
    session->gather_record(rank, place);
  });
  if (counters.info != 0) return factorize_fully();
  is_single_ = true;
  report.factor_s = watch.s();
  finish_report(counters);
}

template <class T>
void LuFactorization<T>::Implementation::factorize_fully() {
  const api::Stopwatch watch;
  LuResult counters;
  session->run([&](comm::Rank& rank, int place) {
    shares_[place].single = {};
    session->clear_record(place);
    const LuResult mine = factorize_as(rank, place, shares_[place].full);
    if (place == 0) counters = mine;
    session->gather_record(rank, place);
    require_regular(rank, place, mine);
  });
  is_single_ = false;
  report.factor_s += watch.s();
  finish_report(counters);
}

/// Errors  Singular
template <class T>
void LuFactorization<T>::Implementation::require_regular(comm::Rank& rank, int place,
                                                         const LuResult& result) {
  api::require_pivots(result);
  const double share = smallest_pivot_share(rank, factorized(place));
  if (share >= plan_.suspicious_pivot_share) return;
  const double condition = scaled_condition(rank, factorized(place), plan_.lu);
  if (condition < plan_.singular_condition) return;
  char text[200];
  std::snprintf(text, sizeof text,
                "the matrix cannot be told from a singular one: a pivot is %.1e of its row and column, the "
                "scaled condition "
                "number about %.1e; remove dependent equations",
                share, condition);
  throw Error(ErrorKind::singular, "dense_lu", text);
}

template <class T>
void LuFactorization<T>::Implementation::finish_report(const LuResult& counters) {
  api::take(report, counters);
  api::take(report, trace::summarise(session->timeline()));
  report.dense->precision = api::name(is_single_ ? ScalarTraits<Single<T>>::type : ScalarTraits<T>::type);
  report.dense->gflops = report.flops / report.factor_s / 1e9;
}

template <class T>
Factorized<T> LuFactorization<T>::Implementation::factorized(int place) const {
  const Share& share = shares_[place];
  return {share.A.view(), sizes_, share.full.LU.view(), share.full.pivots};
}

template <class T>
Solution<T> LuFactorization<T>::Implementation::solve(std::span<const T> b, Index nrhs, Transpose transpose) {
  std::vector<T> x = solve_refined(b, nrhs, api::op_of(transpose));
  if (is_single_ && report.status == Status::inaccurate) {
    factorize_fully();
    x = solve_refined(b, nrhs, api::op_of(transpose));
  }
  return {std::move(x), report};
}

template <class T>
Determinant<T> LuFactorization<T>::Implementation::determinant() {
  if (is_single_) factorize_fully();
  Determinant<T> result;
  session->run([&](comm::Rank& rank, int place) {
    const LuShare<T>& share = shares_[place].full;
    const ScaledNumber<T> mine = lu_determinant<T>(rank, share.LU.view(), share.pivots);
    if (place == 0) result = {mine.mantissa, mine.exponent};
  });
  return result;
}

template <class T>
double LuFactorization<T>::Implementation::reciprocal_condition() {
  if (is_single_) factorize_fully();
  double result = 0;
  session->run([&](comm::Rank& rank, int place) {
    const double mine = dense::reciprocal_condition(rank, factorized(place), plan_.lu);
    if (place == 0) result = mine;
  });
  report.condition_estimate = 1 / result;
  return result;
}

template <class T>
LuFactorization<T>::LuFactorization(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
template <class T>
LuFactorization<T>::LuFactorization(LuFactorization&&) noexcept = default;
template <class T>
LuFactorization<T>& LuFactorization<T>::operator=(LuFactorization&&) noexcept = default;
template <class T>
LuFactorization<T>::~LuFactorization() = default;

template <class T>
Solution<T> LuFactorization<T>::solve(std::span<const T> b, Index nrhs, Transpose op) {
  implementation_->interruption.restart();
  return implementation_->solve(b, nrhs, op);
}

template <class T>
Solution<T> LuFactorization<T>::solve_distributed(const Layout& layout, View<T> mine, Transpose op) {
  implementation_->interruption.restart();
  return implementation_->solve_distributed(layout, mine, op);
}

template <class T>
Determinant<T> LuFactorization<T>::determinant() {
  implementation_->interruption.restart();
  return implementation_->determinant();
}

template <class T>
double LuFactorization<T>::reciprocal_condition() {
  implementation_->interruption.restart();
  return implementation_->reciprocal_condition();
}

template <class T>
const Report& LuFactorization<T>::report() const {
  return implementation_->report;
}

template <class T>
const trace::Timeline& LuFactorization<T>::timeline() const {
  return implementation_->session->timeline();
}

template <class T>
LuFactorization<T> lu_factor(View<T> A, const Options& options) {
  using Implementation = typename LuFactorization<T>::Implementation;
  return LuFactorization<T>(std::make_unique<Implementation>(A, options));
}

template <class T>
LuFactorization<T> lu_factor_distributed(const Layout& layout, View<T> mine, const Options& options) {
  using Implementation = typename LuFactorization<T>::Implementation;
  return LuFactorization<T>(std::make_unique<Implementation>(layout, mine, options));
}

template <class T>
Solution<T> solve(View<T> A, std::span<const T> b, const Options& options) {
  typename LuFactorization<T>::Implementation factors(A, options);
  return factors.solve(b, A.rows > 0 ? static_cast<Index>(b.size()) / A.rows : 1, Transpose::none);
}

#define INSTANTIATE(T)                                                                       \
  template class LuFactorization<T>;                                                         \
  template LuFactorization<T> lu_factor(View<T>, const Options&);                            \
  template LuFactorization<T> lu_factor_distributed(const Layout&, View<T>, const Options&); \
  template Solution<T> solve(View<T>, std::span<const T>, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::dense
