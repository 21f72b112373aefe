#pragma once
#include "command.hpp"
#include "overlapack/scalar.hpp"
#include "overlapack/sparse_matrix.hpp"

#include <optional>
#include <string>

namespace overlapack::cli {

/// The scalar type with this name ("float32", ... or BLAS's s, d, c, z); no value for "auto".
/// Errors  BadPlan for any other name
std::optional<ScalarType> type_from(const std::string& name);

/// An argument of the command line for the name of a scalar type.
Argument type_argument(const std::string& help, std::string& value);

/// The type that holds numbers of both types without loss: complex if one is complex, double precision if one is.
ScalarType common_type(ScalarType a, ScalarType b);

/// A as a dense array by columns.
template <class T>
std::vector<T> dense_columns(const SparseMatrix<T>& A) {
  std::vector<T> values(static_cast<std::size_t>(A.rows * A.cols));
  for (Index j = 0; j < A.cols; ++j)
    for (Index p = A.start[j]; p < A.start[j + 1]; ++p) values[A.row[p] + j * A.rows] += A.value[p];
  return values;
}

}  // namespace overlapack::cli
