#include "sparse/matrix/convert.hpp"

#include "overlapack/error.hpp"

#include <cmath>
#include <string>

namespace overlapack::sparse {
namespace {

[[noreturn]] void refuse_entry(Index i, Index j, const char* reason) {
  throw Error(Status::bad_input, "the entry at row " + std::to_string(i) + ", column " + std::to_string(j) +
                                     " (counted from 0) " + reason);
}

template <class To, class From>
To convert_value(const From& x, Index i, Index j) {
  using R = Real<To>;
  const auto real = static_cast<R>(std::real(x));
  const auto imag = static_cast<R>(std::imag(x));
  if ((std::isinf(real) && !std::isinf(std::real(x))) || (std::isinf(imag) && !std::isinf(std::imag(x))))
    refuse_entry(i, j, "overflows single precision; solve in double");
  if constexpr (ScalarTraits<To>::is_complex) {
    return To(real, imag);
  } else {
    if (std::imag(x) != 0) refuse_entry(i, j, "has an imaginary part; solve in a complex type");
    return real;
  }
}

}  // namespace

template <class To, class From>
SparseMatrix<To> convert(const SparseMatrix<From>& A) {
  SparseMatrix<To> B;
  B.rows = A.rows;
  B.cols = A.cols;
  B.start = A.start;
  B.row = A.row;
  const bool was_hermitian = A.symmetry == Symmetry::hermitian;
  B.symmetry = was_hermitian && !ScalarTraits<To>::is_complex ? Symmetry::symmetric : A.symmetry;
  B.value.resize(A.value.size());
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p)
      B.value[p] = convert_value<To>(A.value[p], A.row[p], j);
  return B;
}

#define OVERLAPACK_CONVERT_FROM(From)                                            \
  template SparseMatrix<float> convert(const SparseMatrix<From>&);               \
  template SparseMatrix<double> convert(const SparseMatrix<From>&);              \
  template SparseMatrix<std::complex<float>> convert(const SparseMatrix<From>&); \
  template SparseMatrix<std::complex<double>> convert(const SparseMatrix<From>&);
OVERLAPACK_CONVERT_FROM(float)
OVERLAPACK_CONVERT_FROM(double)
OVERLAPACK_CONVERT_FROM(std::complex<float>)
OVERLAPACK_CONVERT_FROM(std::complex<double>)

}  // namespace overlapack::sparse
