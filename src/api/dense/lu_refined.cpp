#include "api/dense/lu_factorization.hpp"
#include "api/dense/replicated.hpp"
#include "api/refined_solve.hpp"
#include "dense/check/residual.hpp"
#include "kernels/operand.hpp"

#include <algorithm>
#include <cmath>

/// Refined solves with distributed factors: substitutions and residuals of vectors that rank 0 brings, some columns at a time.
namespace overlapack::dense {

using kernels::Op;

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

#define INSTANTIATE(T) \
  template std::vector<T> LuFactorization<T>::Implementation::solve_refined(std::span<const T>, Index, Op);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::dense
