#pragma once
#include "overlapack/scalar.hpp"

#include <type_traits>

namespace overlapack {

/// Non-owning view of a column-major matrix: entry (i, j) is data[i + j * ld].
template <class T>
struct MatrixView {
  T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index ld = 0;

  T& operator()(Index i, Index j) const { return data[i + j * ld]; }
  T* column(Index j) const { return data + j * ld; }
  bool empty() const { return rows == 0 || cols == 0; }

  /// The m x n block whose first entry is (i, j).
  MatrixView block(Index i, Index j, Index m, Index n) const { return {data + i + j * ld, m, n, ld}; }

  operator MatrixView<const T>() const requires(!std::is_const_v<T>) { return {data, rows, cols, ld}; }
};

/// Leading dimension for columns of `rows` entries: a multiple of 8, but not of 64 (cache sets, TLB); up to 24 rows are not padded.
constexpr Index padded_ld(Index rows) {
  if (rows <= 24) return rows;
  const Index ld = (rows + 7) / 8 * 8;
  return ld % 64 == 0 && ld > 0 ? ld + 8 : ld;
}

}  // namespace overlapack
