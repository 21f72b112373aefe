#include "kernels/spmv.hpp"

#include "kernels/operand.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace overlapack::kernels {
namespace {

template <class T>
struct Wider {
  using type = T;
};
template <>
struct Wider<float> {
  using type = double;
};
template <>
struct Wider<std::complex<float>> {
  using type = std::complex<double>;
};

}  // namespace

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
  using Wide = typename Wider<T>::type;
  std::vector<Wide> sum(b.begin(), b.end());
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) sum[A.row[p]] -= Wide(A.value[p]) * Wide(x[j]);
  std::transform(sum.begin(), sum.end(), r.begin(), [](const Wide& s) { return static_cast<T>(s); });
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
