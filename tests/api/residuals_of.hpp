#pragma once
#include "api/refine/refinement.hpp"

namespace overlapack::api {

/// Residuals with a matrix that outlives them.
template <class T>
Residuals<T> residuals_of(const SparseMatrix<T>& A, std::vector<double> row_max) {
  return [&A, row_max = std::move(row_max)](std::span<const ResidualColumn<T>> columns) {
    return residuals<T>(A, row_max, columns, {});
  };
}

}  // namespace overlapack::api
