#include "base/instantiate.hpp"
#include "kernels/pivoting/ldlt_panel.hpp"

#include <algorithm>
#include <limits>

namespace overlapack::kernels {
namespace {

/// The largest magnitude of the entries; NaN is skipped.
template <class T>
Real<T> largest_of(const T* x, Index count) {
  Real<T> largest = 0;
  for (Index i = 0; i < count; ++i) {
    const Real<T> size = magnitude(x[i]);
    largest = size > largest ? size : largest;
  }
  return largest;
}

/// y <- y - x w
template <class T>
void subtract(const T* __restrict x, T w, T* __restrict y, Index count) {
  for (Index i = 0; i < count; ++i) y[i] -= x[i] * w;
}

}  // namespace

template <class T>
LdltPanelResult ldlt_in_order(MatrixView<T> P, bool hermitian, Real<Scalar<T>> u, std::span<Scalar<T>> d,
                              Real<Scalar<T>> least, const PivotSigns<Scalar<T>>& signs) {
  const bool is_conjugated = hermitian && ScalarTraits<T>::is_complex;
  const bool counts_signs = hermitian || !ScalarTraits<T>::is_complex;
  least = std::max(least, std::numeric_limits<Real<T>>::min());
  const Index f = P.rows;
  LdltPanelResult result;
  Index& k = result.eliminated;
  for (; k < P.cols; ++k) {
    T* const l = P.column(k);
    if (is_conjugated) l[k] = std::real(l[k]);
    if (signs)
      l[k] = signs.mended(std::real(l[k]), k, result.mended);
    else if (!(magnitude(l[k]) >= std::max(u * largest_of(l + k, f - k), least)))
      break;
    const T pivot = d[k] = l[k], reciprocal = T(1) / pivot;
    if (counts_signs) result.negative += std::real(pivot) < 0;
    for (Index i = k + 1; i < f; ++i) l[i] *= reciprocal;
    for (Index j = k + 1; j < P.cols; ++j) {  // a_ij -= l_i d l_j
      const T w = pivot * (is_conjugated ? conjugate(l[j]) : l[j]);
      subtract(l + j, w, P.column(j) + j, f - j);
    }
  }
  return result;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                \
  template LdltPanelResult ldlt_in_order<T>(MatrixView<T>, bool, Real<T>, std::span<T>, Real<T>, \
                                            const PivotSigns<T>&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
