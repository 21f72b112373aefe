#include "kernels/update/adjoint.hpp"

#include "base/instantiate.hpp"
#include "kernels/small/dispatch.hpp"

namespace overlapack::kernels {

template <class T>
void adjoint(ConstView<T> A, MatrixView<T> B, bool conj) {
  small::kernels<T>().adjoint(A.rows, A.cols, A.data, A.ld, conj, B.data, B.ld);
}

#define OVERLAPACK_INSTANTIATE(T) template void adjoint<T>(MatrixView<const T>, MatrixView<T>, bool);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
