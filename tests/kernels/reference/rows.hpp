#pragma once
#include "kernels/update/rows.hpp"

#include <vector>

namespace overlapack::kernels::reference {

/// A(to[k], :) <- A(from[k], :) by a full copy of A.
template <class T>
void move_rows(std::span<const Index> to, std::span<const Index> from, MatrixView<T> A) {
  std::vector<T> old(static_cast<std::size_t>(A.rows * A.cols));
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) old[i + j * A.rows] = A(i, j);
  for (Index j = 0; j < A.cols; ++j)
    for (std::size_t k = 0; k < to.size(); ++k) A(to[k], j) = old[from[k] + j * A.rows];
}

}  // namespace overlapack::kernels::reference
