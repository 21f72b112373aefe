#include "kernels/spmv.hpp"

#include "kernels/operand.hpp"
#include "kernels/wide.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

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

template <class T>
void residual(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
              std::span<const std::type_identity_t<T>> b, std::span<std::type_identity_t<T>> r) {
  constexpr Index parts = ScalarTraits<T>::is_complex ? 2 : 1;
  const auto* b_part = reinterpret_cast<const Real<T>*>(b.data());
  std::vector<Wide<T>> sum(b_part, b_part + parts * A.rows);
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) {
      Wide<T>* s = sum.data() + parts * A.row[p];
      subtract_product(A.value[p], x[j], s[0], s + parts - 1);
    }
  std::transform(sum.begin(), sum.end(), reinterpret_cast<Real<T>*>(r.data()),
                 [](Wide<T> s) { return static_cast<Real<T>>(s); });
}

template <class T>
void spmv_modulus(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
                  std::span<const std::type_identity_t<T>> b, std::span<Real<T>> w) {
  std::transform(b.begin(), b.end(), w.begin(), [](const T& bi) { return std::abs(bi); });
  for (Index j = 0; j < A.cols; ++j) {
    const Real<T> xj = std::abs(x[j]);
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) w[A.row[p]] += std::abs(A.value[p]) * xj;
  }
}

#define INSTANTIATE(T)                                                                                     \
  template void spmv<T>(const SparseMatrix<T>&, std::span<const T>, std::span<T>);                         \
  template void spmv_trans<T>(const SparseMatrix<T>&, bool, std::span<const T>, std::span<T>);             \
  template void residual<T>(const SparseMatrix<T>&, std::span<const T>, std::span<const T>, std::span<T>); \
  template void spmv_modulus<T>(const SparseMatrix<T>&, std::span<const T>, std::span<const T>,            \
                                std::span<Real<T>>);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::kernels
