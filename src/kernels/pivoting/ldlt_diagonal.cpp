#include "base/instantiate.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"
#include "kernels/pivoting/pair_pivot.hpp"

namespace overlapack::kernels {

template <class T>
void scale_by_d(ConstView<T> L, bool hermitian, std::span<const Scalar<T>> d,
                std::span<const Scalar<T>> d_off, MatrixView<T> W) {
  for (Index k = 0; k < L.cols; ++k) {
    const T* l1 = L.column(k);
    T* w1 = W.column(k);
    if (d_off[k] == T(0)) {
      for (Index i = 0; i < L.rows; ++i) w1[i] = l1[i] * d[k];
      continue;
    }
    // [w1 w2] = [l1 l2] [a b~; b c]
    const T a = d[k], b = d_off[k], c = d[k + 1], bt = hermitian ? conjugate(b) : b;
    const T* l2 = L.column(k + 1);
    T* w2 = W.column(++k);
    for (Index i = 0; i < L.rows; ++i) {
      const T x1 = l1[i], x2 = l2[i];
      w1[i] = x1 * a + x2 * b;
      w2[i] = x1 * bt + x2 * c;
    }
  }
}

template <class T>
void divide_by_d(bool hermitian, std::span<const Scalar<T>> d, std::span<const Scalar<T>> d_off,
                 MatrixView<T> X) {
  for (Index k = 0; k < X.cols; ++k) {
    if (d_off[k] != T(0)) {
      PairPivot<T>(d[k], d_off[k], d[k + 1], hermitian).divide(X.column(k), X.column(k + 1), X.rows);
      ++k;
      continue;
    }
    const T reciprocal = T(1) / d[k];
    for (Index i = 0; i < X.rows; ++i) X(i, k) *= reciprocal;
  }
}

namespace {

/// at(k, j): unknown k of right-hand side j.
template <class T, class At>
void solve_d_at(bool hermitian, std::span<const T> d, std::span<const T> d_off, Index unknowns, Index count,
                At at) {
  for (Index k = 0; k < unknowns; ++k) {
    if (d_off[k] == T(0)) {
      for (Index j = 0; j < count; ++j) at(k, j) /= d[k];
      continue;
    }
    // [a b~; b c] with its first row divided by b~ and its second by b, so that the determinant does not overflow
    const T b = d_off[k], bt = hermitian ? conjugate(b) : b;
    const T a = d[k] / bt, c = d[k + 1] / b, det = a * c - T(1);
    for (Index j = 0; j < count; ++j) {
      const T x1 = at(k, j) / bt, x2 = at(k + 1, j) / b;
      at(k, j) = (c * x1 - x2) / det;
      at(k + 1, j) = (a * x2 - x1) / det;
    }
    ++k;
  }
}

}  // namespace

template <class T>
void solve_d(bool hermitian, std::span<const Scalar<T>> d, std::span<const Scalar<T>> d_off,
             MatrixView<T> X) {
  solve_d_at<T>(hermitian, d, d_off, X.rows, X.cols, [&](Index k, Index j) -> T& { return X(k, j); });
}

template <class T>
void solve_lines_d(bool hermitian, std::span<const Scalar<T>> d, std::span<const Scalar<T>> d_off,
                   MatrixView<T> X) {
  solve_d_at<T>(hermitian, d, d_off, X.cols, X.rows, [&](Index k, Index j) -> T& { return X(j, k); });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                \
  template void scale_by_d<T>(MatrixView<const T>, bool, std::span<const T>, std::span<const T>, \
                              MatrixView<T>);                                                    \
  template void divide_by_d<T>(bool, std::span<const T>, std::span<const T>, MatrixView<T>);     \
  template void solve_d<T>(bool, std::span<const T>, std::span<const T>, MatrixView<T>);         \
  template void solve_lines_d<T>(bool, std::span<const T>, std::span<const T>, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
