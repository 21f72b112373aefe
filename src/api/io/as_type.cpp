#include "base/instantiate.hpp"
#include "base/public_call.hpp"
#include "overlapack/error.hpp"
#include "overlapack/io.hpp"
#include "overlapack/quiet_floats.hpp"
#include "sparse/matrix/convert.hpp"

#include <cmath>
#include <utility>

namespace overlapack::io {
namespace {

template <class To, class From>
To value_as(const From& v, std::size_t i) {
  if constexpr (ScalarTraits<From>::is_complex && !ScalarTraits<To>::is_complex) {
    if (v.imag() != 0)
      throw Error(Status::bad_input, "entry " + std::to_string(i + 1) +
                                         " of the right-hand side is complex; choose a complex type");
    return To(v.real());
  } else {
    return To(v);
  }
}

}  // namespace

template <class T>
SparseMatrix<T> matrix_as(AnySparseMatrix&& matrix) {
  const QuietFloats quiet;
  return std::visit(
      [](auto&& A) -> SparseMatrix<T> {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(A)>, SparseMatrix<T>>)
          return std::forward<decltype(A)>(A);
        else
          return sparse::convert<T>(A);
      },
      std::move(matrix));
}

template <class T>
std::vector<T> values_as(const AnyDenseArray& array) {
  return public_call(call::read_dense, [&]() -> std::vector<T> {
    return std::visit(
        [](const auto& dense) {
          std::vector<T> values(dense.value.size());
          for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_as<T>(dense.value[i], i);
          return values;
        },
        array);
  });
}

#define OVERLAPACK_INSTANTIATE(T)                        \
  template SparseMatrix<T> matrix_as(AnySparseMatrix&&); \
  template std::vector<T> values_as(const AnyDenseArray&);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::io
