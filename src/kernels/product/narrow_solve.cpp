#include "kernels/product/narrow_solve.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>

namespace overlapack::kernels {

template <class T>
void solve_vector_forward(const ConstView<T>& L, bool unit, T* w) {
  const Index e = L.cols;
  for (Index k = 0; k < e; ++k) {
    const T* l = L.column(k);
    if (!unit) w[k] /= l[k];
    for (Index i = k + 1; i < e; ++i) w[i] -= l[i] * w[k];
  }
  small::kernels<T>().subtract_columns(L.rows - e, e, L.data + e, L.ld, w, w + e);
}

template <class T>
void solve_vector_forward_upper(const ConstView<T>& U, T* w) {
  const Index e = U.rows;
  for (Index k = 0; k < U.cols; ++k) {
    const T* u = U.column(k);
    T rest = w[k];
    for (Index i = 0; i < std::min(k, e); ++i) rest -= u[i] * w[i];
    w[k] = k < e ? rest / u[k] : rest;
  }
}

template <class T>
void subtract_from_vector(const ConstView<T>& L, const T* c, T* w) {
  small::kernels<T>().subtract_columns(L.rows, L.cols, L.data, L.ld, c, w);
}

template <class T>
void solve_vector_backward(const ConstView<T>& L, bool unit, bool conj, T* w) {
  const Index e = L.cols;
  T sums[sizes::narrow_solve];
  small::kernels<T>().dots(L.rows - e, e, L.data + e, L.ld, conj, w + e, sums);
  for (Index k = e - 1; k >= 0; --k) {
    const T* l = L.column(k);
    T rest = w[k] - sums[k];
    for (Index i = k + 1; i < e; ++i) rest -= (conj ? conjugate(l[i]) : l[i]) * w[i];
    w[k] = unit ? rest : rest / (conj ? conjugate(l[k]) : l[k]);
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                  \
  template void solve_vector_forward<T>(const MatrixView<const T>&, bool, T*);     \
  template void solve_vector_forward_upper<T>(const MatrixView<const T>&, T*);     \
  template void subtract_from_vector<T>(const MatrixView<const T>&, const T*, T*); \
  template void solve_vector_backward<T>(const MatrixView<const T>&, bool, bool, T*);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
