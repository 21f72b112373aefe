#pragma once
#include "kernels/pivoting/cholesky_panel.hpp"

#include <cmath>

namespace overlapack::kernels::reference {

template <class T>
Index cholesky_panel(MatrixView<T> P) {
  for (Index k = 0; k < P.cols; ++k) {
    Real<T> pivot = std::real(P(k, k));
    for (Index p = 0; p < k; ++p) pivot -= std::norm(P(k, p));
    if (!(pivot > 0)) return k;
    P(k, k) = std::sqrt(pivot);
    for (Index i = k + 1; i < P.rows; ++i) {
      T sum = P(i, k);
      for (Index p = 0; p < k; ++p) sum -= P(i, p) * conjugate(P(k, p));
      P(i, k) = sum / P(k, k);
    }
  }
  return P.cols;
}

}  // namespace overlapack::kernels::reference
