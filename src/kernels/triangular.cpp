#include "kernels/triangular.hpp"

#include "kernels/gemm.hpp"
#include "kernels/reference/triangular.hpp"

#include <algorithm>

namespace overlapack::kernels {
namespace {

constexpr Index base = 8;

/// First half of a triangle of order n: a multiple of the base.
Index half(Index n) { return std::max(base, n / 2 / base * base); }

Op transposed(bool conj) { return conj ? Op::conj_trans : Op::trans; }

}  // namespace

template <class T>
void solve_right_lower_trans(ConstView<T> L, bool unit, bool conj, MatrixView<T> X) {
  const Index n = L.cols, h = half(n), r = n - h;
  if (X.empty()) return;
  if (n <= base) return reference::solve_right_lower_trans(L, unit, conj, X);
  // [X1 X2] [L11 0; L21 L22]^T = [B1 B2]:  X1 L11^T = B1,  X2 L22^T = B2 - X1 L21^T
  auto X1 = X.block(0, 0, X.rows, h), X2 = X.block(0, h, X.rows, r);
  solve_right_lower_trans(L.block(0, 0, h, h), unit, conj, X1);
  gemm(Op::none, transposed(conj), T(-1), X1, L.block(h, 0, r, h), T(1), X2);
  solve_right_lower_trans(L.block(h, h, r, r), unit, conj, X2);
}

template <class T>
void solve_left_lower(ConstView<T> L, bool unit, MatrixView<T> X) {
  const Index n = L.cols, h = half(n), r = n - h;
  if (X.empty()) return;
  if (n <= base) return reference::solve_left_lower(L, unit, X);
  auto X1 = X.block(0, 0, h, X.cols), X2 = X.block(h, 0, r, X.cols);
  solve_left_lower(L.block(0, 0, h, h), unit, X1);
  gemm(Op::none, Op::none, T(-1), L.block(h, 0, r, h), X1, T(1), X2);
  solve_left_lower(L.block(h, h, r, r), unit, X2);
}

template <class T>
void solve_left_lower_trans(ConstView<T> L, bool unit, bool conj, MatrixView<T> X) {
  const Index n = L.cols, h = half(n), r = n - h;
  if (X.empty()) return;
  if (n <= base) return reference::solve_left_lower_trans(L, unit, conj, X);
  // L11^T X1 + L21^T X2 = B1,  L22^T X2 = B2
  auto X1 = X.block(0, 0, h, X.cols), X2 = X.block(h, 0, r, X.cols);
  solve_left_lower_trans(L.block(h, h, r, r), unit, conj, X2);
  gemm(transposed(conj), Op::none, T(-1), L.block(h, 0, r, h), X2, T(1), X1);
  solve_left_lower_trans(L.block(0, 0, h, h), unit, conj, X1);
}

template <class T>
void solve_left_upper(ConstView<T> U, bool unit, MatrixView<T> X) {
  const Index n = U.cols, h = half(n), r = n - h;
  if (X.empty()) return;
  if (n <= base) return reference::solve_left_upper(U, unit, X);
  auto X1 = X.block(0, 0, h, X.cols), X2 = X.block(h, 0, r, X.cols);
  solve_left_upper(U.block(h, h, r, r), unit, X2);
  gemm(Op::none, Op::none, T(-1), U.block(0, h, h, r), X2, T(1), X1);
  solve_left_upper(U.block(0, 0, h, h), unit, X1);
}

template <class T>
void solve_left_upper_trans(ConstView<T> U, bool unit, bool conj, MatrixView<T> X) {
  const Index n = U.cols, h = half(n), r = n - h;
  if (X.empty()) return;
  if (n <= base) return reference::solve_left_upper_trans(U, unit, conj, X);
  auto X1 = X.block(0, 0, h, X.cols), X2 = X.block(h, 0, r, X.cols);
  solve_left_upper_trans(U.block(0, 0, h, h), unit, conj, X1);
  gemm(transposed(conj), Op::none, T(-1), U.block(0, h, h, r), X1, T(1), X2);
  solve_left_upper_trans(U.block(h, h, r, r), unit, conj, X2);
}

#define INSTANTIATE(T)                                                                      \
  template void solve_right_lower_trans<T>(MatrixView<const T>, bool, bool, MatrixView<T>); \
  template void solve_left_lower<T>(MatrixView<const T>, bool, MatrixView<T>);              \
  template void solve_left_lower_trans<T>(MatrixView<const T>, bool, bool, MatrixView<T>);  \
  template void solve_left_upper<T>(MatrixView<const T>, bool, MatrixView<T>);              \
  template void solve_left_upper_trans<T>(MatrixView<const T>, bool, bool, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::kernels
