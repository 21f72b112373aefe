#pragma once
#include "kernels/pivoting/lu_panel.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace overlapack::kernels::reference {

/// Row of the accepted pivot of column k, or -1.
template <class T>
Index lu_pivot(MatrixView<T> P, Index k, Real<T> u) {
  Index largest = k;
  for (Index i = k; i < P.cols; ++i)
    if (magnitude(P(i, k)) > magnitude(P(largest, k))) largest = i;
  Real<T> column_max = 0;
  for (Index i = k; i < P.rows; ++i) column_max = std::max(column_max, magnitude(P(i, k)));
  const bool diagonal = magnitude(P(k, k)) >= magnitude(P(largest, k)) / 10;
  for (Index row : {diagonal ? k : largest, largest}) {
    const Real<T> size = magnitude(P(row, k));
    if (size >= std::numeric_limits<Real<T>>::min() && size >= u * column_max) return row;
  }
  return -1;
}

/// lu_panel one column at a time, each pivot applied to all later columns at once.
template <class T>
LuPanelResult lu_panel(MatrixView<T> P, Real<Scalar<T>> u, std::span<std::int32_t> row_order,
                       std::span<std::int32_t> column_order) {
  LuPanelResult result;
  Index k = 0;
  for (Index before = -1; before < k && k < P.cols;) {  // rounds, until one brings nothing
    before = k;
    for (Index end = P.cols; k < end;) {
      const Index pivot = lu_pivot(P, k, u);
      if (pivot < 0) {
        --end;
        for (Index i = 0; i < P.rows; ++i) std::swap(P(i, k), P(i, end));
        std::swap(column_order[k], column_order[end]);
        continue;
      }
      for (Index j = 0; j < P.cols; ++j) std::swap(P(k, j), P(pivot, j));
      std::swap(row_order[k], row_order[pivot]);
      result.exchanges += pivot != k;
      for (Index i = k + 1; i < P.rows; ++i) P(i, k) /= P(k, k);
      for (Index j = k + 1; j < P.cols; ++j)
        for (Index i = k + 1; i < P.rows; ++i) P(i, j) -= P(i, k) * P(k, j);
      const double size = magnitude(P(k, k));
      result.smallest_pivot = k == 0 ? size : std::min(result.smallest_pivot, size);
      result.largest_pivot = std::max(result.largest_pivot, size);
      ++k;
    }
  }
  result.eliminated = k;
  return result;
}

}  // namespace overlapack::kernels::reference
