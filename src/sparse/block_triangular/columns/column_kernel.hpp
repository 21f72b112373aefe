#pragma once
#include "sparse/block_triangular/columns/column_factors.hpp"

namespace overlapack::sparse::block_triangular {

/// x(rows) -= [column(0), ..., column(width - 1)] u, several columns at a time.
/// Shapes  row: m rows, the same for all columns; column(k): m values
template <class T, class Column>
void subtract_columns(const Node* row, Index m, Index width, Column&& column, const T* u, T* x) {
  Index k = 0;
  for (; k + 4 <= width; k += 4) {
    const T *const l0 = column(k), *const l1 = column(k + 1), *const l2 = column(k + 2),
                   *const l3 = column(k + 3);
    const T u0 = u[k], u1 = u[k + 1], u2 = u[k + 2], u3 = u[k + 3];
    for (Index i = 0; i < m; ++i) x[row[i]] -= (l0[i] * u0 + l1[i] * u1) + (l2[i] * u2 + l3[i] * u3);
  }
  for (; k + 2 <= width; k += 2) {
    const T *const l0 = column(k), *const l1 = column(k + 1);
    const T u0 = u[k], u1 = u[k + 1];
    for (Index i = 0; i < m; ++i) x[row[i]] -= l0[i] * u0 + l1[i] * u1;
  }
  if (k == width) return;
  const T* const l = column(k);
  const T uk = u[k];
  for (Index i = 0; i < m; ++i) x[row[i]] -= l[i] * uk;
}

/// w <- D(first : first + width) w, of pivots none of which is the half of a pair; L D L^T or L D L^H.
template <class T>
void multiply_by_d(const ColumnFactors<T>& factors, Index first, std::span<T> w) {
  for (std::size_t k = 0; k < w.size(); ++k) {
    const T *const d = factors.pivot.data() + first + k, off = factors.pivot_off[first + k], l = w[k];
    w[k] *= d[0];
    if (off == T(0)) continue;
    w[k] += (factors.is_hermitian ? conjugate(off) : off) * w[k + 1];
    w[k + 1] = off * l + d[1] * w[k + 1];
    ++k;
  }
}

}  // namespace overlapack::sparse::block_triangular
