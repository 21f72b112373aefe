#pragma once
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

namespace overlapack::kernels {

/// Solves with a triangle, in place. Only the named triangle is read, and with `unit` not its diagonal. A zero on the diagonal
/// gives infinities, as in BLAS.
/// Shapes  triangle n x n; X: m x n for right solves, n x m for left solves; one column (m = 1) has its own path
/// Cost    triangular_cost(n, m)

/// X <- X L^{-T}, with conj X L^{-H}.
template <class T>
void solve_right_lower_trans(ConstView<T> L, bool unit, bool conj, MatrixView<T> X);

/// X <- X U^{-1}.
template <class T>
void solve_right_upper(ConstView<T> U, bool unit, MatrixView<T> X);

/// X <- L^{-1} X.
template <class T>
void solve_left_lower(ConstView<T> L, bool unit, MatrixView<T> X);

/// X <- L^{-T} X, with conj L^{-H} X.
template <class T>
void solve_left_lower_trans(ConstView<T> L, bool unit, bool conj, MatrixView<T> X);

/// X <- U^{-1} X.
template <class T>
void solve_left_upper(ConstView<T> U, bool unit, MatrixView<T> X);

/// X <- U^{-T} X, with conj U^{-H} X.
template <class T>
void solve_left_upper_trans(ConstView<T> U, bool unit, bool conj, MatrixView<T> X);

/// n: order of the triangle, m: number of rows (right) or columns (left) solved for.
template <class T>
constexpr Cost triangular_cost(Index n, Index m) {
  const double dn = n, dm = m;
  return cost_of<T>(dn * dn * dm / 2, dn * dn / 2 + 2 * dn * dm);
}

}  // namespace overlapack::kernels
