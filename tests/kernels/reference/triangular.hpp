#pragma once
#include "kernels/product/triangular.hpp"

namespace overlapack::kernels::reference {

/// x_k <- (b_k - sum_p t_kp x_p) / t_kk for k ascending (lower triangles) or descending.
template <class T, class Entry, class X>
void substitute(Index n, bool ascending, bool unit, Entry t, X x) {
  for (Index step = 0; step < n; ++step) {
    const Index k = ascending ? step : n - 1 - step;
    T sum = x(k);
    for (Index p = ascending ? 0 : k + 1; p < (ascending ? k : n); ++p) sum -= t(k, p) * x(p);
    x(k) = unit ? sum : sum / t(k, k);
  }
}

/// X L^T = B, row by row: L x^T = b^T.
template <class T>
void solve_right_lower_trans(ConstView<T> L, bool unit, bool conj, MatrixView<T> X) {
  auto l = [&](Index i, Index j) { return conj ? conjugate(L(i, j)) : L(i, j); };
  for (Index i = 0; i < X.rows; ++i)
    substitute<T>(L.cols, true, unit, l, [&](Index k) -> T& { return X(i, k); });
}

template <class T>
void solve_left_lower(ConstView<T> L, bool unit, MatrixView<T> X) {
  auto l = [&](Index i, Index j) { return L(i, j); };
  for (Index j = 0; j < X.cols; ++j)
    substitute<T>(L.cols, true, unit, l, [&](Index k) -> T& { return X(k, j); });
}

template <class T>
void solve_left_lower_trans(ConstView<T> L, bool unit, bool conj, MatrixView<T> X) {
  auto u = [&](Index i, Index j) { return conj ? conjugate(L(j, i)) : L(j, i); };
  for (Index j = 0; j < X.cols; ++j)
    substitute<T>(L.cols, false, unit, u, [&](Index k) -> T& { return X(k, j); });
}

template <class T>
void solve_left_upper(ConstView<T> U, bool unit, MatrixView<T> X) {
  auto u = [&](Index i, Index j) { return U(i, j); };
  for (Index j = 0; j < X.cols; ++j)
    substitute<T>(U.cols, false, unit, u, [&](Index k) -> T& { return X(k, j); });
}

template <class T>
void solve_left_upper_trans(ConstView<T> U, bool unit, bool conj, MatrixView<T> X) {
  auto l = [&](Index i, Index j) { return conj ? conjugate(U(j, i)) : U(j, i); };
  for (Index j = 0; j < X.cols; ++j)
    substitute<T>(U.cols, true, unit, l, [&](Index k) -> T& { return X(k, j); });
}

}  // namespace overlapack::kernels::reference
