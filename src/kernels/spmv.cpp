#include "kernels/spmv.hpp"

#include "base/instantiate.hpp"
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

namespace {

/// What is summed for one row of a residual: in each of its real parts, and of magnitudes. Side by side, since columns scatter.
template <class T>
struct RowSum {
  static constexpr Index parts = ScalarTraits<T>::is_complex ? 2 : 1;
  Wide<T> r[parts];
  Real<T> weight;

  explicit RowSum(const T& b) : weight(std::abs(b)) {
    const auto* b_part = reinterpret_cast<const Real<T>*>(&b);
    std::copy_n(b_part, parts, r);
  }
  /// size = |x|
  void subtract(const T& a, const T& x, Real<T> size) {
    subtract_product(a, x, r[0], r + parts - 1);
    weight += std::abs(a) * size;
  }
  T residual() const {
    if constexpr (parts == 2)
      return {static_cast<Real<T>>(r[0]), static_cast<Real<T>>(r[1])};
    else
      return static_cast<T>(r[0]);
  }
};

/// Row i of A is its column i, conjugated where A is Hermitian: one sum at a time, in the order of the columns as ever.
template <class T>
void residual_by_rows(const SparseMatrix<T>& A, std::span<const T> x, std::span<const T> b, std::span<T> r,
                      std::span<Real<T>> weight) {
  const bool is_conjugated = A.symmetry == Symmetry::hermitian;
  std::vector<Real<T>> size(x.size());
  std::ranges::transform(x, size.begin(), [](const T& entry) { return std::abs(entry); });
  for (Index i = 0; i < A.cols; ++i) {
    RowSum<T> sum(b[i]);
    for (Index p = A.start[i]; p < A.start[i + 1]; ++p)
      sum.subtract(is_conjugated ? conjugate(A.value[p]) : A.value[p], x[A.row[p]], size[A.row[p]]);
    r[i] = sum.residual();
    weight[i] = sum.weight;
  }
}

}  // namespace

template <class T>
void residual(const SparseMatrix<T>& A, std::span<const std::type_identity_t<T>> x,
              std::span<const std::type_identity_t<T>> b, std::span<std::type_identity_t<T>> r,
              std::span<Real<T>> weight) {
  if (A.symmetry == Symmetry::symmetric || A.symmetry == Symmetry::hermitian)
    return residual_by_rows<T>(A, x, b, r, weight);
  std::vector<RowSum<T>> sums(b.begin(), b.end());
  for (Index j = 0; j < A.cols; ++j) {
    const T xj = x[j];
    const Real<T> size = std::abs(xj);
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) sums[A.row[p]].subtract(A.value[p], xj, size);
  }
  std::ranges::transform(sums, r.begin(), &RowSum<T>::residual);
  std::ranges::transform(sums, weight.begin(), &RowSum<T>::weight);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                         \
  template void spmv<T>(const SparseMatrix<T>&, std::span<const T>, std::span<T>);                        \
  template void spmv_trans<T>(const SparseMatrix<T>&, bool, std::span<const T>, std::span<T>);            \
  template void residual<T>(const SparseMatrix<T>&, std::span<const T>, std::span<const T>, std::span<T>, \
                            std::span<Real<T>>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
