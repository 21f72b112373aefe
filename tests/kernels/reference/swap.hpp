#pragma once
#include "kernels/update/swap.hpp"

#include <vector>

namespace overlapack::kernels::reference {

/// X(:, j) <- X(:, order[j]) by a full copy.
template <class T>
void permute_columns(MatrixView<T> X, std::span<const std::int32_t> order) {
  std::vector<T> old(static_cast<std::size_t>(X.rows * X.cols));
  for (Index j = 0; j < X.cols; ++j)
    for (Index i = 0; i < X.rows; ++i) old[i + j * X.rows] = X(i, j);
  for (Index j = 0; j < X.cols; ++j)
    for (Index i = 0; i < X.rows; ++i) X(i, j) = old[i + order[j] * X.rows];
}

/// X(i, :) <- X(order[i], :) by a full copy.
template <class T>
void permute_rows(MatrixView<T> X, std::span<const std::int32_t> order) {
  std::vector<T> old(static_cast<std::size_t>(X.rows * X.cols));
  for (Index j = 0; j < X.cols; ++j)
    for (Index i = 0; i < X.rows; ++i) old[i + j * X.rows] = X(i, j);
  for (Index j = 0; j < X.cols; ++j)
    for (Index i = 0; i < X.rows; ++i) X(i, j) = old[order[i] + j * X.rows];
}

}  // namespace overlapack::kernels::reference
