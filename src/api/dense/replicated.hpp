#pragma once
#include "api/refine/operation.hpp"
#include "comm/collective/collective.hpp"
#include "dense/lu/solve/solve.hpp"
#include "overlapack/dense.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

/// Copies vectors to every rank, as dense::lu_solve needs them.
namespace overlapack::api {

/// Rank 0's values, on every rank. The other ranks pass null.
template <class T>
std::vector<T> replicated(comm::Rank& rank, const T* values, Index count) {
  const std::span<const T> mine(values, values == nullptr ? 0 : static_cast<std::size_t>(count));
  const comm::Body body =
      comm::collective::broadcast(rank, 0, rank.rank() == 0 ? comm::Body::copy_of(mine) : comm::Body());
  return {body.as<T>().begin(), body.as<T>().end()};
}

/// Send x, which all processes of the grid have, to the ranks of the team that are outside the grid.
template <class T>
void replicate(comm::Rank& rank, const dist::ProcessGrid& grid, std::span<T> x) {
  if (grid.size() == rank.size()) return;
  std::ranges::copy(replicated<T>(rank, x.data(), static_cast<Index>(x.size())), x.begin());
}

/// X <- op(A)^{-1} X by factors in another precision F. Each column is scaled to at most 1 before, so that it neither overflows nor
/// underflows in F.
template <class F, class T>
void solve_in_single(comm::Rank& rank, kernels::Op op, const dist::DistributedMatrix<F>& LU,
                     std::span<const Index> pivots, MatrixView<T> X, const dense::LuPlan& plan) {
  std::vector<F> values(static_cast<std::size_t>(X.rows * X.cols));
  const MatrixView<F> Y{values.data(), X.rows, X.cols, X.rows};
  std::vector<Real<T>> size(static_cast<std::size_t>(X.cols), Real<T>(0));
  for (Index k = 0; k < X.cols; ++k) {
    for (Index i = 0; i < X.rows; ++i) size[k] = std::max<Real<T>>(size[k], std::abs(X(i, k)));
    if (size[k] == 0) size[k] = 1;
    for (Index i = 0; i < X.rows; ++i) Y(i, k) = F(X(i, k) / size[k]);
  }
  dense::lu_solve<F>(rank, op, LU, pivots, Y, plan);
  for (Index k = 0; k < X.cols; ++k)
    for (Index i = 0; i < X.rows; ++i) X(i, k) = T(Y(i, k)) * size[k];
}

}  // namespace overlapack::api
