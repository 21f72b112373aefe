#include "api/dense/dealt_system.hpp"

#include "api/dense/replicated.hpp"
#include "api/dense/strict_triangle.hpp"
#include "api/prepare.hpp"
#include "api/refined_solve.hpp"
#include "base/instantiate.hpp"
#include "dense/check/residual.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

/// Refined solves with distributed factors: substitutions and residuals of vectors that rank 0 brings, some columns at a time.
namespace overlapack::api {
namespace {

using kernels::Op;

}  // namespace

/// R <- R - op(A) X, W <- W + |op(A)| |X|
template <class T>
void DealtSystem<T>::residual(comm::Rank& rank, int place, Op op, MatrixView<const T> X,
                              MatrixView<kernels::WideScalar<T>> R, MatrixView<Real<T>> W) const {
  const auto [M, stored] = this->readable(place);
  const Op read = this->kind_.is_hermitian ? Op::none
                  : this->is_lent()        ? stored
                                           : op;  // lent for A X = B alone
  dense::residual<T>(rank, read, M, dense::columns_of(M), X, R, W);
  if (!this->kind_.is_hermitian) return;
  const dist::DistributedMatrix<T>& A = this->part(place);
  StrictTriangle<T> strict(A);  // A = L + strict^H
  dense::residual<T>(rank, Op::conj_trans, A, strict, X, R, W);
}

template <class T>
Solution<T> DealtSystem<T>::solve(std::span<const T> b, Index nrhs, dense::Transpose transpose) {
  return settled(refined(b, nrhs, transpose));
}

template <class T>
void DealtSystem<T>::doubt(int place, const std::string& reason) {
  if (!reason.empty() && this->options_.singular == SingularMatrix::refuse)
    throw Error(ErrorKind::singular, "dense", reason + "; remove dependent equations");
  if (place == 0) weakness_ = reason;
}

template <class T>
Solution<T> DealtSystem<T>::settled(Solution<T> solution) {
  if (weakness_.empty()) return solution;
  Report& report = this->report_;
  double residual = report.true_residual;
  this->session().run([&](comm::Rank& rank, int place) {
    const double known = from_root(rank, residual);
    if (place == 0) residual = known;
  });
  char text[200];
  std::snprintf(text, sizeof text, "backward error %.1e, residual %.1e of the right-hand side",
                report.backward_error, residual);
  if (report.status != Status::ok || !(residual <= most_residual_share<T>())) {
    report.status = Status::singular;
    report.message =
        weakness_ + ", and this system has no solution (" + text + "); remove dependent equations";
    throw Error(ErrorKind::singular, "solve", report.message);
  }
  if (std::isnan(report.condition_estimate)) reciprocal_condition();
  report.status = Status::ill_conditioned;
  report.message = weakness_ + "; x is an answer (" + text +
                   "), but so may others be that are far from it: check the model around this column";
  solution.report = report;
  return solution;
}

template <class T>
void DealtSystem<T>::substitute_everywhere(comm::Rank& rank, int place, Op op, std::span<T> x) {
  substitute(rank, place, op, {x.data(), this->n_, 1, this->n_});
  replicate<T>(rank, this->plan_.grid, x);
}

template <class T>
Solution<T> DealtSystem<T>::refined(std::span<const T> b, Index nrhs, dense::Transpose transpose) {
  const Op op = op_of(transpose);
  const FactorizedSystem<T> system{
      .n = this->n_,
      .substitute = [&](comm::Rank& rank, int place, const T* r, T* d,
                        Index columns) { substitute_columns(rank, place, op, r, d, columns); },
      .residuals =
          [&](comm::Rank& rank, int place) {
            return [&, place, op](std::span<const ResidualColumn<T>> columns) {
              return residuals(rank, place, op, columns);
            };
          },
      .take_part = [&](comm::Rank& rank, int place,
                       Index columns) { take_part_in_residuals(rank, place, op, columns); },
      .more_accuracy = "raise refinement_steps (now " + std::to_string(this->options_.refinement.steps) +
                       "), or scale rows and columns to like sizes"};
  std::vector<T> x =
      refined_solve(this->session(), this->interruption_, this->options_, system, b, nrhs, this->report_);
  return {std::move(x), this->report_};
}

template <class T>
void DealtSystem<T>::substitute_columns(comm::Rank& rank, int place, Op op, const T* r, T* d, Index columns) {
  for (Index c = 0; c < columns; c += this->plan_.lu.rhs_block) {
    const Index count = std::min(this->plan_.lu.rhs_block, columns - c);
    std::vector<T> X = replicated(rank, r == nullptr ? nullptr : r + c * this->n_, this->n_ * count);
    substitute(rank, place, op, {X.data(), this->n_, count, this->n_});
    if (d != nullptr) std::ranges::copy(X, d + c * this->n_);
  }
}

template <class T>
std::vector<BackwardError> DealtSystem<T>::residuals(comm::Rank& rank, int place, Op op,
                                                     std::span<const ResidualColumn<T>> columns) const {
  const std::vector<double>& row_max = op == Op::none ? this->sizes_.row_max : this->sizes_.col_max;
  std::vector<BackwardError> errors;
  const Index total = static_cast<Index>(columns.size());
  for (Index c = 0; c < total; c += this->plan_.lu.rhs_block) {
    const auto part = columns.subspan(c, std::min(this->plan_.lu.rhs_block, total - c));
    const Index count = static_cast<Index>(part.size());
    std::vector<T> x;
    std::vector<kernels::WideScalar<T>> r;
    std::vector<Real<T>> w;
    for (const ResidualColumn<T>& column : part) {
      x.insert(x.end(), column.x.begin(), column.x.end());
      r.insert(r.end(), column.b.begin(), column.b.end());
      for (const T& b : column.b) w.push_back(std::abs(b));
    }
    x = replicated(rank, x.data(), this->n_ * count);
    residual(rank, place, op, {x.data(), this->n_, count, this->n_}, {r.data(), this->n_, count, this->n_},
             {w.data(), this->n_, count, this->n_});
    for (Index k = 0; k < count; ++k) {
      std::transform(r.begin() + k * this->n_, r.begin() + (k + 1) * this->n_, part[k].r.begin(),
                     [](const kernels::WideScalar<T>& sum) { return static_cast<T>(sum); });
      errors.push_back(backward_error<T>(row_max, part[k].b, part[k].x, part[k].r,
                                         std::span<const Real<T>>(w).subspan(k * this->n_, this->n_)));
    }
  }
  return errors;
}

template <class T>
void DealtSystem<T>::take_part_in_residuals(comm::Rank& rank, int place, Op op, Index columns) const {
  for (Index c = 0; c < columns; c += this->plan_.lu.rhs_block) {
    const Index count = std::min(this->plan_.lu.rhs_block, columns - c);
    const std::vector<T> x = replicated<T>(rank, nullptr, this->n_ * count);
    residual(rank, place, op, {x.data(), this->n_, count, this->n_}, {}, {});
  }
}

#define OVERLAPACK_INSTANTIATE(T) template class DealtSystem<T>;
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
