#include "api/dense/qr_factorization.hpp"

#include "api/dense/dense_report.hpp"
#include "api/dense/layout.hpp"
#include "api/dense/replicated.hpp"
#include "api/plan/prepare.hpp"
#include "api/refine/refined_solve.hpp"
#include "api/refine/report_figures.hpp"
#include "api/run/stopwatch.hpp"
#include "api/words/type_names.hpp"
#include "base/instantiate.hpp"
#include "base/larger.hpp"
#include "base/public_call.hpp"
#include "dense/packed.hpp"
#include "kernels/product/norm.hpp"
#include "kernels/product/vectors.hpp"
#include "overlapack/printed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace overlapack::api {

double qr_flops(Index m, Index n, bool is_complex) {
  const double rows = static_cast<double>(m), cols = static_cast<double>(n);
  return 2 * cols * cols * (rows - cols / 3) * real_operations(is_complex);
}

dense::QrPlan qr_plan(const Options& options, const dense::LuPlan& plan) {
  const auto refuse = [](const std::string& message) { throw Error(Status::bad_plan, message); };
  if (options.precision != Precision::working)
    refuse("precision is \"" + std::string(to_string(options.precision)) +
           "\", but QR works in the type of the matrix; use working");
  if (plan.schedule != Schedule::flat && plan.schedule != Schedule::look_ahead)
    refuse("schedule is \"" + std::string(to_string(plan.schedule)) +
           "\", but QR has flat and lookahead; choose one of them");
  return {.discipline = plan.discipline,
          .messages = plan.messages,
          .depth = panels_ahead(plan.schedule, plan.depth),
          .tile = plan.tile,
          .rhs_block = plan.rhs_block,
          .inbox = plan.inbox};
}

}  // namespace overlapack::api

namespace overlapack::dense {

using kernels::Op;

/// Right-hand sides, each divided by a power of two near its largest entry, so that no square overflows or underflows.
template <class T>
struct ScaledColumns {
  /// b: on rank 0.  Collective.
  ScaledColumns(comm::Rank& rank, std::span<const T> b, Index columns)
      : rows(columns > 0 ? b.size() / static_cast<std::size_t>(columns) : 0),
        unit(static_cast<std::size_t>(columns)),
        values(b.begin(), b.end()) {
    for (std::size_t k = 0; k < unit.size(); ++k) {
      unit[k] = api::broadcast_from_root(rank, kernels::power_of_two_near_largest(column(k)));
      kernels::scale(std::span(values).subspan(k * rows, rows), 1 / unit[k]);
    }
  }
  std::span<const T> column(std::size_t k) const { return std::span(values).subspan(k * rows, rows); }
  /// Scale the solutions X of these columns to those of b.
  void restore(std::span<T> X) const {
    const std::size_t n = unit.empty() ? 0 : X.size() / unit.size();
    for (std::size_t k = 0; k < unit.size(); ++k) kernels::scale(X.subspan(k * n, n), unit[k]);
  }

  std::size_t rows;  ///< on rank 0; elsewhere 0
  std::vector<double> unit;
  std::vector<T> values;
};

namespace {

template <class T>
api::DenseKind qr_kind(const Options& options) {
  api::require_dense_options(options, FactorKind::qr);
  api::qr_plan(options, api::lu_plan(options));
  return {
      .factorization = FactorKind::qr, .is_square = false, .factor_bytes = sizeof(T), .flops = api::qr_flops};
}

}  // namespace

template <class T>
QrFactorization<T>::Implementation::Implementation(View<T> A, const Options& options)
    : api::SessionMatrix<T>(options, qr_kind<T>(options)) {
  this->distribute(A);
  factorize();
}

template <class T>
QrFactorization<T>::Implementation::Implementation(const Layout& layout, View<T> mine, const Options& options)
    : api::SessionMatrix<T>(options, qr_kind<T>(options)) {
  this->distribute(layout, mine);
  factorize();
}

template <class T>
void QrFactorization<T>::Implementation::factorize() {
  qr_plan_ = api::qr_plan(this->options_, this->plan_.lu);
  shares_.resize(static_cast<std::size_t>(this->local_ranks()));
  this->run_factorization([&](comm::Rank& rank, int position) {
    const FactorResult result = factorize(rank, position);
    require_full_rank(rank, position);
    return result;
  });
}

template <class T>
FactorResult QrFactorization<T>::Implementation::factorize(comm::Rank& rank, int position) {
  const dist::DistributedMatrix<T>& A = this->part(position);
  Share& share = shares_[static_cast<std::size_t>(position)];
  share.VR = dist::OwnedMatrix<T>(this->plan_.grid, rank.rank(), A.rows, A.cols);
  share.s.assign(static_cast<std::size_t>(std::min(this->plan_.block, this->n_) * this->n_), T(0));
  copy_into<T>(A.local, share.VR.view().local);
  QrPlan plan = qr_plan_;
  if (rank.rank() == 0) plan.on_progress = [&](double done) { this->report_progress(done); };
  FactorResult result = qr_factor(rank, factors(position), plan);
  api::sum_counters_over_ranks(rank, result);
  return result;
}

template <class T>
QrFactors<T> QrFactorization<T>::Implementation::factors(int position) {
  Share& share = shares_[static_cast<std::size_t>(position)];
  const Index width = std::min(this->plan_.block, this->n_);
  return {share.VR.view(), {share.s.data(), width, this->n_, width}};
}

/// Check that A has full rank in its precision.
/// Errors  Singular
template <class T>
void QrFactorization<T>::Implementation::require_full_rank(comm::Rank& rank, int position) {
  const std::span<const double> sizes = this->sizes_.col_max;
  const double share = smallest_diagonal_share(rank, factors(position), sizes);
  const double condition = share > 0 ? estimate_scaled_inverse_norm(rank, factors(position), sizes, qr_plan_)
                                     : std::numeric_limits<double>::infinity();
  if (position == 0) condition_ = condition;
  if (share >= this->plan_.suspicious_pivot_share || condition < this->plan_.singular_condition) return;
  throw Error(
      Status::singular,
      printed(
          "the columns of the matrix are dependent to working precision: one column is within %.1e of its "
          "size of the space of those before it, and the scaled condition number is about %.1e; remove "
          "columns",
          share, condition));
}

template <class T>
dist::OwnedMatrix<T> QrFactorization<T>::Implementation::distributed(comm::Rank& rank, std::span<const T> C,
                                                                     Index columns) const {
  const dist::BlockCyclic cols{
      .size = columns, .block = this->plan_.block, .processes = this->plan_.grid.cols()};
  dist::OwnedMatrix<T> made(this->plan_.grid, rank.rank(), this->part(0).rows, cols);
  const Layout on_root = api::whole_on_rank_0(this->m_, columns);
  const dist::ProcessGrid root = api::grid_of(on_root, rank.size());
  const View<T> all{rank.rank() == 0 ? C.data() : nullptr, this->m_, columns, this->m_};
  api::redistribute(rank, api::part_of(root, rank, on_root, rank.rank() == 0 ? all : View<T>{}), made.view(),
                    qr_plan_.inbox);
  return made;
}

template <class T>
std::vector<T> QrFactorization<T>::Implementation::replicated_matrix(
    comm::Rank& rank, const dist::DistributedMatrix<T>& C) const {
  const Layout on_root = api::whole_on_rank_0(C.m(), C.n());
  const dist::ProcessGrid root = api::grid_of(on_root, rank.size());
  const dist::OwnedMatrix<T> whole(root, rank.rank(), api::rows_of(on_root), api::cols_of(on_root));
  api::redistribute(rank, C, whole.view(), qr_plan_.inbox);
  const std::vector<T> mine = packed<T>(whole.view().local);
  return api::replicated(rank, mine.data(), C.m() * C.n());
}

template <class T>
Solution<T> QrFactorization<T>::Implementation::solve(std::span<const T> b, Index nrhs, Transpose op) {
  if (op != Transpose::none)
    throw Error(Status::bad_plan,
                "least squares with the transpose are not built; factorise the transposed matrix, or use LU");
  const api::Stopwatch watch;
  std::vector<T> x;
  this->session().run([&](comm::Rank& rank, int position) {
    if (rank.rank() == 0) api::require_right_hand_sides(b, this->m_, nrhs);
    const Index columns = api::broadcast_from_root(rank, nrhs);
    ScaledColumns<T> scaled(rank, b, columns);
    const dist::OwnedMatrix<T> B = distributed(rank, scaled.values, columns);
    qr_least_squares(rank, factors(position), B.view(), qr_plan_);
    dist::DistributedMatrix<T> X = B.view();
    X.rows.size = this->n_;
    X.local.rows = X.first_row({this->n_});
    std::vector<T> mine = replicated_matrix(rank, X);
    const Worst worst = worst_column(rank, position, scaled, mine);
    scaled.restore(mine);
    if (position != 0) return;
    this->report_.dense->residual_norm = worst.optimality.residual_norm;
    this->report_.dense->optimality = worst.optimality.gradient;
    set_status(mine, worst.change_of_x);
    x = std::move(mine);
  });
  this->report_.right_hand_sides = nrhs;
  this->report_.solve_s = watch.seconds();
  return {std::move(x), this->report_};
}

/// The figures of the worst column; NaN counts as the worst. Changes in the last digits of A and b change x, to first order, by
/// epsilon (|| S^+ || ||y|| + || S^+ ||^2 ||b - A x||). Here C has the sizes of the columns, S = A C^{-1}, y = C x, and ||S|| is about 1.
/// Source  Wedin 1973; Higham 2002, theorem 20.1
template <class T>
auto QrFactorization<T>::Implementation::worst_column(comm::Rank& rank, int position,
                                                      const ScaledColumns<T>& b, std::span<const T> x)
    -> Worst {
  const dist::DistributedMatrix<T>& A = this->part(position);
  const auto n = static_cast<std::size_t>(this->n_);
  constexpr double eps = std::numeric_limits<Real<T>>::epsilon();
  Worst worst;
  for (std::size_t k = 0; k < b.unit.size(); ++k) {
    const std::span<const T> x_k = x.subspan(k * n, n);
    const Optimality mine = optimality<T>(rank, A, columns_of(A), this->sizes_, x_k, b.column(k));
    worst.optimality.residual_norm = Larger()(worst.optimality.residual_norm, b.unit[k] * mine.residual_norm);
    worst.optimality.gradient = Larger()(worst.optimality.gradient, mine.gradient);
    double size = std::sqrt(eps);  // of y, where b has the size 1; a smaller y counts as 0
    for (std::size_t i = 0; i < n; ++i)
      size = std::max(size, this->sizes_.col_max[i] * static_cast<double>(std::abs(x_k[i])));
    const double change = eps * condition_ * (1 + condition_ * mine.residual_norm / size);
    worst.change_of_x = Larger()(worst.change_of_x, change);
  }
  return worst;
}

template <class T>
void QrFactorization<T>::Implementation::set_status(std::span<const T> x, double change_of_x) {
  Report& report = this->report_;
  constexpr double eps = std::numeric_limits<Real<T>>::epsilon();
  // m eps: the error bound of Householder's reflections
  const double accuracy =
      std::max(api::accuracy_of(this->options_, eps),
               this->options_.refinement.accuracy > 0 ? 0 : static_cast<double>(this->m_) * eps);
  report.status = Status::ok;
  report.message.clear();
  if (!(report.dense->optimality <= accuracy && std::isfinite(kernels::largest(x)))) {
    report.status = Status::inaccurate;
    report.message = printed(
        "||A^H (b - A x)|| is %.2g of its bound, above %.2g, or x has left the range of its type; scale "
        "rows and columns to like sizes",
        report.dense->optimality, accuracy);
  } else if (!(change_of_x <= api::most_error_of_x<T>())) {
    report.status = Status::ill_conditioned;
    report.message = printed(
        "the columns of the matrix are nearly dependent: their scaled condition number is about %.1e, and "
        "last digits of A and b may change x by %.1e of its size; remove or combine columns",
        condition_, change_of_x);
  }
}

template <class T>
std::vector<T> QrFactorization<T>::Implementation::multiply_q(std::span<const T> C, Index columns,
                                                              Transpose op) {
  if (op == Transpose::trans && ScalarTraits<T>::is_complex)
    throw Error(Status::bad_plan, "Q^T of complex numbers is not built; use Q^H (conj_trans)");
  std::vector<T> product;
  this->session().run([&](comm::Rank& rank, int position) {
    if (rank.rank() == 0) api::require_right_hand_sides(C, this->m_, columns);
    const dist::OwnedMatrix<T> distributed_C = distributed(rank, C, api::broadcast_from_root(rank, columns));
    qr_multiply(rank, op == Transpose::none ? Op::none : Op::conj_trans, factors(position),
                distributed_C.view(), qr_plan_);
    const std::vector<T> mine = replicated_matrix(rank, distributed_C.view());
    if (position == 0) product = mine;
  });
  return product;
}

template <class T>
std::vector<T> QrFactorization<T>::Implementation::r() {
  std::vector<T> R;
  const Index n = this->n_;
  this->session().run([&](comm::Rank& rank, int position) {
    dist::DistributedMatrix<T> top = factors(position).VR;
    top.rows.size = n;
    top.local.rows = top.first_row({n});
    const std::vector<T> mine = replicated_matrix(rank, top);
    if (position == 0) R = mine;
  });
  for (Index j = 0; j < n; ++j) std::fill(R.begin() + j * n + j + 1, R.begin() + (j + 1) * n, T(0));  // V's
  return R;
}

template <class T>
typename QrFactorization<T>::Implementation& QrFactorization<T>::own() const {
  return static_cast<Implementation&>(*this->matrix_);
}

template <class T>
std::vector<T> QrFactorization<T>::multiply_q(std::span<const T> C, Index columns, Transpose op) {
  return own().locked_call(call::multiply_q, [&] { return own().multiply_q(C, columns, op); });
}

template <class T>
std::vector<T> QrFactorization<T>::r() {
  return own().locked_call(call::r, [&] { return own().r(); });
}

template <class T>
int QrFactorization<T>::process() const {
  return own().rank();
}

template <class T>
QrFactorization<T> qr_factor(View<T> A, const Options& options) {
  return public_call(call::qr_factor, [&] { return make_public_factors<QrFactorization, T>(A, options); });
}

template <class T>
QrFactorization<T> qr_factor_distributed(const Layout& layout, View<T> mine, const Options& options) {
  return public_call(call::qr_factor,
                     [&] { return make_public_factors<QrFactorization, T>(layout, mine, options); });
}

template <class T>
Solution<T> lstsq(View<T> A, std::span<const T> b, const Options& options) {
  return public_call(call::lstsq, [&]() -> Solution<T> {
    typename QrFactorization<T>::Implementation factors(A, options);
    return factors.solve(b, A.rows > 0 ? static_cast<Index>(b.size()) / A.rows : 1, Transpose::none);
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                            \
  template class QrFactorization<T>;                                                         \
  template QrFactorization<T> qr_factor(View<T>, const Options&);                            \
  template QrFactorization<T> qr_factor_distributed(const Layout&, View<T>, const Options&); \
  template Solution<T> lstsq(View<T>, std::span<const T>, const Options&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
