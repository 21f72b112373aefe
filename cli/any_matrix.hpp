#pragma once
#include "command.hpp"
#include "overlapack/scalar.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <optional>
#include <string>

namespace overlapack::cli {

/// The scalar type of a name ("float32", ... or BLAS's s, d, c, z); nothing for "auto".
/// Errors  BadPlan
std::optional<ScalarType> type_from(const std::string& name);

/// An argument for such a name.
Argument type_argument(const std::string& help, std::string& value);

/// The type that holds both without loss: complex if one is, double precision if one is.
ScalarType common_type(ScalarType a, ScalarType b);

/// A by columns, with all zeros.
template <class T>
std::vector<T> dense_columns(const SparseMatrix<T>& A) {
  std::vector<T> values(static_cast<std::size_t>(A.rows * A.cols));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) values[A.row[p] + j * A.rows] += A.value[p];
  return values;
}

}  // namespace overlapack::cli
