#include "kernels/update/adjoint.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::kernels {

/// By strips of rows that fill a cache line of each column: all columns of B that a strip writes stay in the cache.
template <class T>
void adjoint(ConstView<T> A, MatrixView<T> B, bool conj) {
  constexpr Index strip = 64 / sizeof(T);
  for (Index first = 0; first < A.rows; first += strip) {
    const Index end = std::min(first + strip, A.rows);
    for (Index j = 0; j < A.cols; ++j)
      for (Index i = first; i < end; ++i) B(j, i) = conj ? conjugate(A(i, j)) : A(i, j);
  }
}

#define OVERLAPACK_INSTANTIATE(T) template void adjoint<T>(MatrixView<const T>, MatrixView<T>, bool);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
