#include "api/refine/orthonormal.hpp"

#include "base/instantiate.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

namespace overlapack::api {
namespace {

/// Scales by the largest entry first, so that no square leaves the range.
template <class T>
void normalise(T* z, Index n) {
  Real<T> most = 0, sum = 0;
  for (Index i = 0; i < n; ++i) most = std::max<Real<T>>(most, std::abs(z[i]));
  if (!(most > 0)) return;
  for (Index i = 0; i < n; ++i) sum += std::norm(z[i] /= most);
  for (Index i = 0; i < n; ++i) z[i] /= std::sqrt(sum);
}

}  // namespace

template <class T>
void orthonormalise(MatrixView<T> Z) {
  for (Index j = 0; j < Z.cols; ++j) {
    T* z = Z.column(j);
    normalise(z, Z.rows);
    for (int pass = 0; pass < 2; ++pass)
      for (Index k = 0; k < j; ++k) {
        const T* q = Z.column(k);
        T product(0);
        for (Index i = 0; i < Z.rows; ++i) product += conjugate(q[i]) * z[i];
        for (Index i = 0; i < Z.rows; ++i) z[i] -= product * q[i];
      }
    normalise(z, Z.rows);
  }
}

#define OVERLAPACK_INSTANTIATE(T) template void orthonormalise(MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::api
