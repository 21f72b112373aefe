#include "base/instantiate.hpp"
#include "comm/collective/collective.hpp"
#include "dense/check/one_norm_estimate.hpp"
#include "dense/lu/panel/diagonal.hpp"
#include "dense/lu/solve/triangular_sweep.hpp"
#include "dense/message_kinds.hpp"
#include "dense/qr/qr.hpp"
#include "kernels/product/blas_threads.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <string>

namespace overlapack::dense {
namespace {

using kernels::Op;

/// X(0:n) <- op(R)^{-1} X(0:n) for an X replicated on every process of the grid.
template <class T>
void substitute_with_r(dist::Moves<T>& moves, Op op, const dist::DistributedMatrix<T>& R, MatrixView<T> X) {
  const Index n = R.n();
  triangular_sweep<T>(moves, {R, n, Triangle::upper, op}, X.block(0, 0, n, X.cols), QrMove::sweep);
}

template <class T>
SolvePlan sweep_plan_of_r(const dist::DistributedMatrix<T>& R, const QrPlan& plan, Index columns) {
  return {columns, plan.inbox, plan.discipline, {}, std::min(R.cols.block, R.n())};
}

/// x <- op(R)^{-1} x on every rank of the team.
template <class T>
void solve_with_r(comm::Rank& rank, Op op, const QrFactors<T>& factors, const QrPlan& plan, std::span<T> x) {
  const Index n = factors.VR.n();
  solve_by_columns<T>(
      rank, *factors.VR.grid, {x.data(), n, 1, n}, sweep_plan_of_r(factors.VR, plan, 1),
      [&](dist::Moves<T>& moves, MatrixView<T> X) { substitute_with_r(moves, op, factors.VR, X); });
  if (factors.VR.grid->size() < rank.size()) {
    const bool is_root = rank.rank() == 0;
    const comm::Body body = comm::collective::broadcast(
        rank, 0, is_root ? comm::Body::copy_of(std::span<const T>(x)) : comm::Body());
    if (!is_root) std::ranges::copy(body.as<T>(), x.begin());
  }
}

}  // namespace

template <class T>
void qr_least_squares(comm::Rank& rank, const QrFactors<T>& factors, const dist::DistributedMatrix<T>& B,
                      const QrPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  const dist::DistributedMatrix<T>& A = factors.VR;
  if (A.m() < A.n())
    throw Error(Status::bad_input, "the matrix has " + std::to_string(A.m()) + " rows and " +
                                       std::to_string(A.n()) +
                                       " columns; give at least as many rows as columns");
  qr_multiply(rank, Op::conj_trans, factors, B, plan);
  solve_by_columns<T>(
      rank, B, sweep_plan_of_r(A, plan, plan.rhs_block),
      [&](dist::Moves<T>& moves, MatrixView<T> X) { substitute_with_r(moves, Op::none, A, X); });
}

template <class T>
double smallest_diagonal_share(comm::Rank& rank, const QrFactors<T>& factors,
                               std::span<const double> column_size) {
  double share = std::numeric_limits<double>::infinity();
  for_my_diagonal(factors.VR, [&](Index j, const T& r) {
    const double size = column_size[static_cast<std::size_t>(j)];
    const double mine = size > 0 ? static_cast<double>(std::abs(r)) / size : 0;
    if (!(mine >= share)) share = mine;  // keeps NaN
  });
  return comm::collective::all_reduce(rank, share,
                                      [](double a, double b) { return std::isnan(a) || a < b ? a : b; });
}

template <class T>
double estimate_scaled_inverse_norm(comm::Rank& rank, const QrFactors<T>& factors,
                                    std::span<const double> column_size, const QrPlan& plan) {
  const kernels::SingleThreadedBlas one_thread_a_rank;
  const auto scale = [&](std::span<T> x) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] *= static_cast<Real<T>>(column_size[i]);
  };
  return estimate_one_norm<T>(
      factors.VR.n(),
      [&](std::span<T> x) {
        solve_with_r(rank, Op::none, factors, plan, x);
        scale(x);
      },
      [&](std::span<T> x) {
        scale(x);
        solve_with_r(rank, Op::conj_trans, factors, plan, x);
      });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                         \
  template void qr_least_squares(comm::Rank&, const QrFactors<T>&, const dist::DistributedMatrix<T>&,     \
                                 const QrPlan&);                                                          \
  template double smallest_diagonal_share(comm::Rank&, const QrFactors<T>&, std::span<const double>);     \
  template double estimate_scaled_inverse_norm(comm::Rank&, const QrFactors<T>&, std::span<const double>, \
                                               const QrPlan&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
