#include "kernels/sparse/spmv.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::kernels {

template <class T>
void spmv(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
          std::span<std::type_identity_t<T>> y) {
  std::fill(y.begin(), y.end(), T(0));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) y[A.row[p]] += A.value[p] * x[j];
}

template <class T>
void spmv_trans(const SparseMatrix<T>& A, bool conj, std::span<const std::type_identity_t<T>> x,
                std::span<std::type_identity_t<T>> y) {
  for (Index j = 0; j < A.cols; ++j) {
    T sum(0);
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      sum += (conj ? conjugate(A.value[p]) : A.value[p]) * x[A.row[p]];
    y[j] = sum;
  }
}

#define OVERLAPACK_INSTANTIATE(T)                                                  \
  template void spmv<T>(const SparseMatrix<T>&, std::span<const T>, std::span<T>); \
  template void spmv_trans<T>(const SparseMatrix<T>&, bool, std::span<const T>, std::span<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
