#pragma once
#include "kernels/update/update.hpp"

namespace overlapack::kernels::reference {

template <class T>
void lower_update(ConstView<T> W, ConstView<T> L, bool conj, bool accumulate, MatrixView<T> C) {
  for (Index j = 0; j < C.cols; ++j)
    for (Index i = j; i < C.rows; ++i) {
      T sum = accumulate ? C(i, j) : T(0);
      for (Index p = 0; p < W.cols; ++p) sum -= W(i, p) * (conj ? conjugate(L(j, p)) : L(j, p));
      C(i, j) = sum;
    }
}

}  // namespace overlapack::kernels::reference
