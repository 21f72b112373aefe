#include "api/dense/lu_factorization.hpp"

#include "api/dense/dense_report.hpp"
#include "api/dense/replicated.hpp"
#include "api/node_sum.hpp"
#include "api/prepare.hpp"
#include "api/refined_solve.hpp"
#include "api/report_figures.hpp"
#include "api/stopwatch.hpp"
#include "comm/collective/collective.hpp"
#include "dense/check/residual.hpp"
#include "dense/lu/determinant.hpp"
#include "dist/grid/redistribute.hpp"
#include "kernels/operand.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overlapack::dense {
namespace {

using kernels::Op;

template <class T>
constexpr double eps = std::numeric_limits<Real<T>>::epsilon();

Op op_of(Transpose transpose) {
  constexpr Op ops[] = {Op::none, Op::trans, Op::conj_trans};
  return ops[static_cast<std::size_t>(transpose)];
}

template <class T>
void require_matrix(const View<T>& A) {
  const auto refuse = [](const std::string& message) {
    throw Error(ErrorKind::bad_input, "lu_factor", message);
  };
  if (A.rows != A.cols)
    refuse("the matrix has " + std::to_string(A.rows) + " rows and " + std::to_string(A.cols) +
           " columns; give a square one");
  if (A.rows < 1) refuse("the matrix has no rows; give at least one equation");
  if (A.ld < A.rows || A.data == nullptr)
    refuse("the leading dimension is " + std::to_string(A.ld) +
           "; give the distance of two columns, at least " + std::to_string(A.rows));
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i)
      if (!std::isfinite(std::abs(A.data[i + j * A.ld])))
        refuse("entry (" + std::to_string(i) + ", " + std::to_string(j) +
               ") is not a finite number; remove NaN and infinity");
}

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

/// Rank 0's A as a matrix on a grid of one process.
template <class T>
dist::DistributedMatrix<T> whole(const dist::ProcessGrid& alone, comm::Rank& rank, View<T> A, Index n) {
  const dist::BlockCyclic all{.size = n, .block = n};
  dist::DistributedMatrix<T> matrix{&alone, {}, all, all, {}};
  if (rank.rank() == 0) matrix.local = {const_cast<T*>(A.data), n, n, A.ld};  // only read
  return matrix;
}

}  // namespace

template <class T>
LuFactorization<T>::Implementation::Implementation(View<T> A, const Options& chosen)
    : options(chosen), interruption(chosen) {
  require_options<T>(options);
  prepare(A);
  factorize();
}

/// Open the session and deal A to its ranks.
template <class T>
void LuFactorization<T>::Implementation::prepare(View<T> A) {
  const api::Stopwatch watch;
  if (api::engine_name(options) == "mpi") {
    session = std::make_unique<api::Session>(options, options.ranks);
  } else {
    require_matrix(A);
    const double flops = api::lu_flops(A.rows, ScalarTraits<T>::is_complex);
    session = std::make_unique<api::Session>(options, api::choose_dense_ranks(options, flops));
  }
  shares_.resize(session->local_ranks());
  session->run([&](comm::Rank& rank, int place) {
    if (rank.rank() == 0 && session->local_ranks() < session->ranks()) require_matrix(A);
    const Index n = api::from_root(rank, A.rows);
    if (place == 0) {
      n_ = n;
      plan_ = api::make_dense_plan(options, n, session->ranks(), eps<T>);
    }
    comm::collective::barrier(rank);  // the plan is there
    deal(rank, place, A);
  });
  report.engine = api::engine_name(options);
  report.ranks = session->ranks();
  report.workers = options.workers;
  api::describe(report, n_, ScalarTraits<T>::type, plan_);
  report.analysis_s = watch.s();
}

/// A and its factors, in their parts.
template <class T>
void LuFactorization<T>::Implementation::require_memory(comm::Rank& rank, int place) {
  const double n = static_cast<double>(n_), ranks = plan_.grid.size();
  const double bytes = n * n * (2 * sizeof(T) + (options.precision == "mixed" ? sizeof(Single<T>) : 0));
  if (place == 0) report.predicted_bytes = report.peak_bytes = bytes;
  const double here = api::node_sum(rank, plan_.grid.holds(rank.rank()) ? bytes / ranks : 0);
  api::require_memory(options, here, "fewer unknowns, more nodes");
}

template <class T>
void LuFactorization<T>::Implementation::deal(comm::Rank& rank, int place, View<T> A) {
  require_memory(rank, place);
  const dist::BlockCyclic rows{.size = n_, .block = plan_.block, .processes = plan_.grid.rows()};
  const dist::BlockCyclic cols{.size = n_, .block = plan_.block, .processes = plan_.grid.cols()};
  Share& share = shares_[place];
  share.A = dist::OwnedMatrix<T>(plan_.grid, rank.rank(), rows, cols);
  if (plan_.grid.holds(rank.rank())) {
    const dist::ProcessGrid alone(1, 1, {0}, rank.size());
    comm::Exchange exchange(rank, comm::Lane::bulk, plan_.lu.inbox);
    dist::redistribute(exchange, whole(alone, rank, A, n_), share.A.view(), {});
    exchange.close();
  }
  comm::collective::barrier(rank);
  const EntrySizes sizes = entry_sizes<T>(rank, share.A.view(), columns_of(share.A.view()), {0}, {n_});
  if (place == 0) sizes_ = sizes;
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
  std::vector<T> x = solve_refined(b, nrhs, op_of(transpose));
  if (is_single_ && report.status == Status::inaccurate) {
    factorize_fully();
    x = solve_refined(b, nrhs, op_of(transpose));
  }
  return {std::move(x), report};
}

template <class T>
std::vector<T> LuFactorization<T>::Implementation::solve_refined(std::span<const T> b, Index nrhs, Op op) {
  const api::FactorizedSystem<T> system{
      .n = n_,
      .substitute = [&](comm::Rank& rank, int place, const T* r, T* d,
                        Index columns) { substitute(rank, place, op, r, d, columns); },
      .residuals =
          [&](comm::Rank& rank, int place) {
            return [&, place, op](std::span<const api::ResidualColumn<T>> columns) {
              return residuals(rank, place, op, columns);
            };
          },
      .take_part = [&](comm::Rank& rank, int place, Index columns) { take_part(rank, place, op, columns); },
      .more_accuracy = "raise refinement_steps (now " + std::to_string(options.refinement_steps) +
                       "), or scale rows and columns to like sizes"};
  return api::refined_solve(*session, interruption, options, system, b, nrhs, report);
}

template <class T>
void LuFactorization<T>::Implementation::substitute(comm::Rank& rank, int place, Op op, const T* r, T* d,
                                                    Index columns) {
  const Share& share = shares_[place];
  for (Index c = 0; c < columns; c += plan_.lu.rhs_block) {
    const Index count = std::min(plan_.lu.rhs_block, columns - c);
    std::vector<T> X = api::replicated(rank, r == nullptr ? nullptr : r + c * n_, n_ * count);
    const MatrixView<T> view{X.data(), n_, count, n_};
    if (is_single_)
      api::solve_in_single(rank, op, share.single.LU.view(), std::span<const Index>(share.single.pivots),
                           view, plan_.lu);
    else
      lu_solve<T>(rank, op, share.full.LU.view(), share.full.pivots, view, plan_.lu);
    if (d != nullptr) std::ranges::copy(X, d + c * n_);
  }
}

template <class T>
std::vector<api::BackwardError> LuFactorization<T>::Implementation::residuals(
    comm::Rank& rank, int place, Op op, std::span<const api::ResidualColumn<T>> columns) {
  const dist::DistributedMatrix<T>& A = shares_[place].A.view();
  const std::vector<double>& row_max = op == Op::none ? sizes_.row_max : sizes_.col_max;
  std::vector<api::BackwardError> errors;
  const Index total = static_cast<Index>(columns.size());
  for (Index c = 0; c < total; c += plan_.lu.rhs_block) {
    const auto part = columns.subspan(c, std::min(plan_.lu.rhs_block, total - c));
    const Index count = static_cast<Index>(part.size());
    std::vector<T> x;
    std::vector<kernels::WideScalar<T>> r;
    std::vector<Real<T>> w;
    for (const api::ResidualColumn<T>& column : part) {
      x.insert(x.end(), column.x.begin(), column.x.end());
      r.insert(r.end(), column.b.begin(), column.b.end());
      for (const T& b : column.b) w.push_back(std::abs(b));
    }
    x = api::replicated(rank, x.data(), n_ * count);
    residual<T>(rank, op, A, columns_of(A), {x.data(), n_, count, n_}, {r.data(), n_, count, n_},
                {w.data(), n_, count, n_});
    for (Index k = 0; k < count; ++k) {
      std::transform(r.begin() + k * n_, r.begin() + (k + 1) * n_, part[k].r.begin(),
                     [](const kernels::WideScalar<T>& sum) { return static_cast<T>(sum); });
      errors.push_back(api::backward_error<T>(row_max, part[k].b, part[k].x, part[k].r,
                                              std::span<const Real<T>>(w).subspan(k * n_, n_)));
    }
  }
  return errors;
}

template <class T>
void LuFactorization<T>::Implementation::take_part(comm::Rank& rank, int place, Op op, Index columns) {
  const dist::DistributedMatrix<T>& A = shares_[place].A.view();
  for (Index c = 0; c < columns; c += plan_.lu.rhs_block) {
    const Index count = std::min(plan_.lu.rhs_block, columns - c);
    const std::vector<T> x = api::replicated<T>(rank, nullptr, n_ * count);
    residual<T>(rank, op, A, columns_of(A), {x.data(), n_, count, n_}, {}, {});
  }
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
Solution<T> solve(View<T> A, std::span<const T> b, const Options& options) {
  typename LuFactorization<T>::Implementation factors(A, options);
  return factors.solve(b, A.rows > 0 ? static_cast<Index>(b.size()) / A.rows : 1, Transpose::none);
}

#define INSTANTIATE(T)                                            \
  template class LuFactorization<T>;                              \
  template LuFactorization<T> lu_factor(View<T>, const Options&); \
  template Solution<T> solve(View<T>, std::span<const T>, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::dense
