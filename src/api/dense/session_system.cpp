#include "api/dense/session_system.hpp"

#include "api/dense/replicated.hpp"
#include "api/dense/strict_triangle.hpp"
#include "api/plan/prepare.hpp"
#include "api/refine/refined_solve.hpp"
#include "api/refine/report_figures.hpp"
#include "api/refine/weak_verdict.hpp"
#include "base/instantiate.hpp"
#include "dense/check/residual.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

/// Refined solves with distributed factors: vectors are on rank 0, substitutions and residuals take some columns at a time.
namespace overlapack::api {

using kernels::Op;

/// R <- R - op(A) X, W <- W + |op(A)| |X|
template <class T>
void SessionSystem<T>::residual(comm::Rank& rank, int position, Op op, MatrixView<const T> X,
                                MatrixView<kernels::WideScalar<T>> R, MatrixView<Real<T>> W) const {
  const auto [M, stored] = this->readable(position);
  const Op transposed = stored == Op::none ? Op::trans : Op::none;
  const Op read = this->kind_.is_hermitian ? Op::none
                  : !this->is_lent()       ? op
                  : op == Op::none         ? stored
                                           : transposed;  // A^H of a lent matrix is not asked for
  dense::residual<T>(rank, read, M, dense::columns_of(M), X, R, W);
  if (!this->kind_.is_hermitian) return;
  const dist::DistributedMatrix<T>& A = this->part(position);
  StrictTriangle<T> strict(A);  // A = L + strict^H
  dense::residual<T>(rank, Op::conj_trans, A, strict, X, R, W);
}

template <class T>
Solution<T> SessionSystem<T>::solve(std::span<const T> b, Index nrhs, dense::Transpose transpose) {
  return test_solution(b, nrhs, transpose, solve_and_refine(b, nrhs, transpose));
}

template <class T>
void SessionSystem<T>::set_weak_pivot(int position, const std::string& pivot) {
  if (position != 0) return;
  weakness_ = pivot;
  singularity_.reset();
}

/// Multiply by op(A). A^H v is computed as conj(A^T conj(v)), since a lent A is read as A or A^T only.
template <class T>
void SessionSystem<T>::multiply(Op op, std::span<const T> v, std::span<T> product,
                                std::span<Real<T>> weight) {
  const bool is_flipped = op == Op::conj_trans && !this->kind_.is_hermitian;
  const auto flipped = [&](const T& number) { return is_flipped ? conjugate(number) : number; };
  std::vector<T> x(v.size());
  std::ranges::transform(v, x.begin(), flipped);
  const std::vector<T> zero(v.size());
  const Op read = is_flipped ? Op::trans : Op::none;
  this->session().run([&](comm::Rank& rank, int position) {
    if (rank.rank() != 0) return serve_residuals(rank, position, read, 1);
    const ResidualColumn<T> column{zero, x, product, weight};
    residuals(rank, position, read, std::span(&column, 1));
  });
  for (T& number : product) number = -flipped(number);
}

template <class T>
const Singularity<T>& SessionSystem<T>::singularity() {
  if (singularity_) return *singularity_;
  const NullProblem<T> problem{
      .n = this->session().has_root() ? static_cast<std::size_t>(this->n_) : 0,
      .solve =
          [&](Op op, std::span<T> x) {
            this->session().run([&](comm::Rank& rank, int position) {
              T* const mine = rank.rank() == 0 ? x.data() : nullptr;
              substitute_columns(rank, position, op, mine, mine, 1);
            });
          },
      .multiply = [&](Op op, std::span<const T> v, std::span<T> product,
                      std::span<Real<T>> weight) { multiply(op, v, product, weight); }};
  singularity_ = find_null_vectors<T>(this->session(), problem);
  write_singularity(this->report_, *singularity_);
  return *singularity_;
}

template <class T>
void SessionSystem<T>::require_nonsingular() {
  if (weakness_.empty() || this->options_.singular != SingularMatrix::refuse || !singularity().is_singular())
    return;
  api::refuse_singular(singular_text(singularity()), false);
}

template <class T>
Solution<T> SessionSystem<T>::test_solution(std::span<const T> b, Index nrhs, dense::Transpose transpose,
                                            Solution<T> solution) {
  if (weakness_.empty()) return solution;
  const Op op = op_of(transpose);
  nrhs = broadcast_from_root(this->session(), nrhs);
  const auto rows = this->session().has_root() ? static_cast<std::size_t>(this->n_) : 0;
  const std::vector<double>& row_max = op == Op::none ? this->sizes_.row_max : this->sizes_.col_max;
  test_weak_solution<T>(
      this->report_,
      {.session = this->session(),
       .options = this->options_,
       .pivot = weakness_,
       .op = transpose,
       .n = this->n_,
       .nrhs = nrhs,
       .b = b,
       .x = solution.x,
       .residual_rounding = rounding_of_wide<T>(),
       .fit =
           [&](Index column) {
             typename WeakSystem<T>::Fit fit;
             const std::size_t first = static_cast<std::size_t>(column) * rows;
             std::vector<T> r(rows);
             this->session().run([&](comm::Rank& rank, int position) {
               if (rank.rank() != 0) return serve_residuals(rank, position, op, 1);
               const ResidualColumn<T> one{b.subspan(first, rows),
                                           std::span<const T>(solution.x).subspan(first, rows), r};
               fit.backward_error = residuals(rank, position, op, std::span(&one, 1)).front().sum();
               fit.residual_share = residual_share<T>(row_max, one.b, r);
               fit.hidden_share = hidden_share<T>(row_max, one.b, one.x, rounding_of_wide<T>());
             });
             return fit;
           },
       .singularity = [&]() -> const Singularity<T>& { return singularity(); },
       .condition = [&] { return this->reciprocal_condition(); }});
  solution.report = this->report_;
  return solution;
}

template <class T>
void SessionSystem<T>::substitute_everywhere(comm::Rank& rank, int position, Op op, std::span<T> x) {
  substitute(rank, position, op, {x.data(), this->n_, 1, this->n_});
  replicate<T>(rank, this->plan_.grid, x);
}

template <class T>
Solution<T> SessionSystem<T>::solve_and_refine(std::span<const T> b, Index nrhs, dense::Transpose transpose) {
  const Op op = op_of(transpose);
  DigitTest& next = test_[op == Op::none || this->kind_.is_hermitian ? 0 : 1];
  DigitChange change;
  const FactorizedSystem<T> system{
      .n = this->n_,
      .pass = this->plan_.lu.rhs_block,
      .substitute = [&](comm::Rank& rank, int position, const T* r, T* d,
                        Index columns) { substitute_columns(rank, position, op, r, d, columns); },
      .residuals =
          [&](comm::Rank& rank, int position) {
            return [&, position, op](std::span<const ResidualColumn<T>> columns) {
              return residuals(rank, position, op, columns);
            };
          },
      .serve_residuals = [&](comm::Rank& rank, int position,
                             Index columns) { serve_residuals(rank, position, op, columns); },
      .more_accuracy = "raise refinement_steps (now " + std::to_string(this->options_.refinement.steps) +
                       "), or scale rows and columns to like sizes",
      .refines_x = !weakness_.empty() && !singularity().is_singular(),
      .judges_x = weakness_.empty(),
      .test = weakness_.empty() ? next : DigitTest::none,
      .row_max = op == Op::none ? this->sizes_.row_max : this->sizes_.col_max,
      .digit_change = &change};
  std::vector<T> x =
      refined_solve(this->session(), this->interruption_, this->options_, system, b, nrhs, this->report_);
  next = next_test<T>(next, change);
  return {std::move(x), this->report_};
}

template <class T>
void SessionSystem<T>::substitute_columns(comm::Rank& rank, int position, Op op, const T* r, T* d,
                                          Index columns) {
  std::vector<T> X = replicated(rank, r, this->n_ * columns);
  substitute(rank, position, op, {X.data(), this->n_, columns, this->n_});
  if (d != nullptr) std::ranges::copy(X, d);
}

template <class T>
std::vector<BackwardError> SessionSystem<T>::residuals(comm::Rank& rank, int position, Op op,
                                                       std::span<const ResidualColumn<T>> columns) const {
  const std::vector<double>& row_max = op == Op::none ? this->sizes_.row_max : this->sizes_.col_max;
  const Index count = static_cast<Index>(columns.size());
  std::vector<T> x;
  std::vector<kernels::WideScalar<T>> r;
  std::vector<Real<T>> w;
  for (const ResidualColumn<T>& column : columns) {
    x.insert(x.end(), column.x.begin(), column.x.end());
    r.insert(r.end(), column.b.begin(), column.b.end());
    for (const T& b : column.b) w.push_back(std::abs(b));
  }
  x = replicated(rank, x.data(), this->n_ * count);
  residual(rank, position, op, {x.data(), this->n_, count, this->n_}, {r.data(), this->n_, count, this->n_},
           {w.data(), this->n_, count, this->n_});
  std::vector<BackwardError> errors;
  for (Index k = 0; k < count; ++k) {
    std::transform(r.begin() + k * this->n_, r.begin() + (k + 1) * this->n_, columns[k].r.begin(),
                   [](const kernels::WideScalar<T>& sum) { return static_cast<T>(sum); });
    const auto weight = std::span<const Real<T>>(w).subspan(k * this->n_, this->n_);
    errors.push_back(backward_error<T>(row_max, columns[k].b, columns[k].x, columns[k].r, weight));
    std::ranges::copy(weight.first(columns[k].weight.size()), columns[k].weight.begin());
    raise_envelope<T>(columns[k], weight);
  }
  return errors;
}

template <class T>
void SessionSystem<T>::serve_residuals(comm::Rank& rank, int position, Op op, Index columns) const {
  const std::vector<T> x = replicated<T>(rank, nullptr, this->n_ * columns);
  residual(rank, position, op, {x.data(), this->n_, columns, this->n_}, {}, {});
}

OVERLAPACK_INSTANTIATE_CLASS(SessionSystem);

}  // namespace overlapack::api
