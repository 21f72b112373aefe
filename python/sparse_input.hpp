#pragma once
#include "overlapack/sparse_matrix.hpp"
#include "settings.hpp"

#include <nanobind/stl/variant.h>

#include <cstdint>
#include <variant>

namespace overlapack::python {

/// Indices of either width, as SciPy has them.
using InputIndices = std::variant<InputVector<Index>, InputVector<std::int32_t>>;

/// Copy the compressed columns that overlapack/_matrix.py passes.
template <class T>
SparseMatrix<T> sparse_matrix(Index rows, Index cols, const InputIndices& start, const InputIndices& row,
                              InputVector<T> value) {
  const auto copy = [](const InputIndices& given) {
    return std::visit(
        [](const auto& indices) {
          return std::vector<Index>(indices.data(), indices.data() + indices.size());
        },
        given);
  };
  return {rows, cols, copy(start), copy(row), {value.data(), value.data() + value.size()}};
}

}  // namespace overlapack::python
