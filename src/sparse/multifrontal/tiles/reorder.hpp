#pragma once
#include "base/copy_into.hpp"
#include "kernels/update/update.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

/// Rows and columns of tiles in another order.
namespace overlapack::sparse::multifrontal {

/// Work space of this thread, valid until its next call.
template <class T>
MatrixView<T> scratch(Index m, Index n) {
  thread_local std::vector<T> numbers;
  return kernels::work_view(numbers, m, n);
}

/// Puts the columns (rows) of A, of which `before` is a copy, into this order: the new one p is the old one
/// order[p].
template <class T>
void reorder_columns(MatrixView<const T> before, std::span<const std::int32_t> order, MatrixView<T> A) {
  for (Index p = 0; p < A.cols; ++p)
    if (order[p] != p) std::copy_n(before.column(order[p]), A.rows, A.column(p));
}
template <class T>
void reorder_rows(MatrixView<const T> before, std::span<const std::int32_t> order, MatrixView<T> A) {
  for (Index c = 0; c < A.cols; ++c)
    for (Index p = 0; p < A.rows; ++p) A(p, c) = before(order[p], c);
}

/// The same for a caller without a copy.  by: reorder_columns or reorder_rows
template <class T>
void reorder(std::span<const std::int32_t> order, MatrixView<T> A,
             void (*by)(MatrixView<const T>, std::span<const std::int32_t>, MatrixView<T>)) {
  if (std::ranges::is_sorted(order)) return;  // a permutation: nothing moves
  const MatrixView<T> before = scratch<T>(A.rows, A.cols);
  copy_into<T>(A, before);
  by(before, order, A);
}

}  // namespace overlapack::sparse::multifrontal
