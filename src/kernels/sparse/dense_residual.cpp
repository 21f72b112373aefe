#include "kernels/sparse/dense_residual.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::kernels {
namespace {

constexpr Index strip = sizes::dense_residual_rows, columns = sizes::dense_residual_columns;

/// r <- r - A x and w <- w + |A| |x| for one x.
template <class T>
void subtract_columns(ConstView<T> A, const T* x, WideScalar<T>* r, Real<T>* w) {
  constexpr Index parts = ScalarTraits<T>::is_complex ? 2 : 1;
  auto* sums = reinterpret_cast<Wide<T>*>(r);
  for (Index j = 0; j < A.cols; ++j) {
    const T* a = A.column(j);
    const Real<T> size = std::abs(x[j]);
    for (Index i = 0; i < A.rows; ++i) {
      subtract_product(a[i], x[j], sums[parts * i], sums + parts * i + parts - 1);
      w[i] += std::abs(a[i]) * size;
    }
  }
}

/// r <- r - op(A)^T x: each entry of r is an inner product with a column of A.
template <class T>
void subtract_dots(bool conj, ConstView<T> A, const T* x, WideScalar<T>* r, Real<T>* w) {
  for (Index j = 0; j < A.cols; ++j) {
    const T* a = A.column(j);
    Wide<T> re = 0, im = 0;
    Real<T> sizes = 0;
    for (Index i = 0; i < A.rows; ++i) {
      subtract_product(conj ? conjugate(a[i]) : a[i], x[i], re, &im);
      sizes += std::abs(a[i]) * std::abs(x[i]);
    }
    if constexpr (ScalarTraits<T>::is_complex)
      r[j] += WideScalar<T>(re, im);
    else
      r[j] += re;
    w[j] += sizes;
  }
}

/// Does what subtract_columns (is_plain) or subtract_dots does by vector kernels, with sums in pairs of double. Returns false,
/// and leaves r and w unchanged, if there is no kernel, or if a sum is not finite, as it may be finite in the wide type.
template <class T>
bool subtract_by_vectors(bool is_plain, ConstView<T> A, const T* x, WideScalar<T>* r, Real<T>* w) {
  if constexpr (ScalarTraits<T>::is_complex) {
    return false;
  } else {
    const auto kernels = small::dense_residual_kernels<T>();
    const auto kernel = is_plain ? kernels.columns : kernels.dots;
    if (kernel == nullptr) return false;
    double sum[strip] = {}, low[strip] = {};
    Real<T> weight[strip] = {};
    kernel(A.rows, A.cols, A.data, A.ld, x, sum, low, weight);
    const Index count = is_plain ? A.rows : A.cols;
    for (Index i = 0; i < count; ++i)
      if (!std::isfinite(sum[i] + low[i])) return false;
    for (Index i = 0; i < count; ++i) {
      r[i] += Wide<T>(sum[i]) + Wide<T>(low[i]);
      w[i] += weight[i];
    }
    return true;
  }
}

}  // namespace

template <class T>
void dense_residual(Op op, MatrixView<const T> A, ConstView<T> X, MatrixView<WideScalar<T>> R,
                    MatrixView<Real<T>> W) {
  for (Index i = 0; i < A.rows; i += strip)
    for (Index j = 0; j < A.cols; j += columns) {
      const auto part = A.block(i, j, std::min(strip, A.rows - i), std::min(columns, A.cols - j));
      const bool is_plain = op == Op::none;
      const Index in = is_plain ? j : i, out = is_plain ? i : j;
      for (Index k = 0; k < X.cols; ++k) {
        const T* x = X.column(k) + in;
        WideScalar<T>* r = R.column(k) + out;
        Real<T>* w = W.column(k) + out;
        if (subtract_by_vectors<T>(is_plain, part, x, r, w)) continue;
        if (is_plain)
          subtract_columns<T>(part, x, r, w);
        else
          subtract_dots<T>(op == Op::conj_trans, part, x, r, w);
      }
    }
}

#define OVERLAPACK_INSTANTIATE(T)                                                                \
  template void dense_residual(Op, MatrixView<const T>, ConstView<T>, MatrixView<WideScalar<T>>, \
                               MatrixView<Real<T>>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
