#include "any_matrix.hpp"

#include "overlapack/error.hpp"
#include "sparse/matrix/convert.hpp"

#include <cmath>

namespace overlapack::cli {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw Error(ErrorKind::bad_input, "solve", message); }

template <class To, class From>
To value_as(const From& v, std::size_t i) {
  if constexpr (ScalarTraits<From>::is_complex && !ScalarTraits<To>::is_complex) {
    if (v.imag() != 0)
      refuse("entry " + std::to_string(i + 1) +
             " of the right-hand side is complex; choose a complex --type");
    return To(v.real());
  } else {
    return To(v);
  }
}

}  // namespace

std::optional<ScalarType> type_from(const std::string& name) {
  if (name == "auto") return std::nullopt;
  if (name == "float32" || name == "s") return ScalarType::float32;
  if (name == "float64" || name == "d") return ScalarType::float64;
  if (name == "complex64" || name == "c") return ScalarType::complex64;
  if (name == "complex128" || name == "z") return ScalarType::complex128;
  throw Error(ErrorKind::bad_plan, "type",
              "option type is \"" + name + "\"; give one of auto, float32, float64, complex64, complex128");
}

ScalarType common_type(ScalarType a, ScalarType b) {
  const auto is_complex = [](ScalarType t) {
    return t == ScalarType::complex64 || t == ScalarType::complex128;
  };
  const auto is_double = [](ScalarType t) { return t == ScalarType::float64 || t == ScalarType::complex128; };
  const bool is_long = is_double(a) || is_double(b);
  if (is_complex(a) || is_complex(b)) return is_long ? ScalarType::complex128 : ScalarType::complex64;
  return is_long ? ScalarType::float64 : ScalarType::float32;
}

template <class T>
SparseMatrix<T> matrix_as(api::AnySparseMatrix&& matrix) {
  return std::visit(
      [](auto&& A) -> SparseMatrix<T> {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(A)>, SparseMatrix<T>>)
          return std::move(A);
        else
          return sparse::convert<T>(A);
      },
      std::move(matrix));
}

template <class T>
std::vector<T> dense_columns(const SparseMatrix<T>& A) {
  std::vector<T> values(static_cast<std::size_t>(A.rows * A.cols));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) values[A.row[p] + j * A.rows] += A.value[p];
  return values;
}

template <class T>
std::vector<T> values_as(const api::AnyDenseArray& array) {
  return std::visit(
      [](const auto& dense) {
        std::vector<T> values(dense.value.size());
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_as<T>(dense.value[i], i);
        return values;
      },
      array);
}

#define OVERLAPACK_INSTANTIATE(T)                                \
  template std::vector<T> dense_columns(const SparseMatrix<T>&); \
  template SparseMatrix<T> matrix_as(api::AnySparseMatrix&&);    \
  template std::vector<T> values_as(const api::AnyDenseArray&);
OVERLAPACK_INSTANTIATE(float)
OVERLAPACK_INSTANTIATE(double)
OVERLAPACK_INSTANTIATE(std::complex<float>)
OVERLAPACK_INSTANTIATE(std::complex<double>)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::cli
