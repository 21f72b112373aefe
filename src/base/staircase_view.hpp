#pragma once
#include "base/matrix_view.hpp"

#include <algorithm>

namespace overlapack {

/// Offset, in entries from the first one of the block, of the panel that begins with column `first`.
constexpr Index staircase_offset(Index n, Index width, Index first) {
  return first * padded_ld(n) - first * (first - width) / 2;
}

/// Non-owning view of an n x n block stored as panels of `width` columns, each from its diagonal down and with a leading
/// dimension of its own. One panel holds the whole square; several hold its lower triangle (and what lies above the diagonal
/// within panels), in about 9/16 of the memory.
template <class T>
struct StaircaseView {
  T* data = nullptr;
  Index n = 0;
  Index width = 0;  ///< a multiple of 8, or n at least

  /// Pointer p for which p[i] is entry (i, j); with several panels, only for i >= j.
  T* column(Index j) const {
    const Index first = first_of(j);
    return data + offset(first) + (j - first) * ld(first) - first;
  }
  /// The panel that begins with column `first`: its rows are first..n-1.
  MatrixView<T> panel(Index first) const {
    return {data + offset(first), n - first, std::min(width, n - first), ld(first)};
  }
  /// The sub-block of rows x cols entries whose first entry is (i, j); it must lie in one panel.
  MatrixView<T> block(Index i, Index j, Index rows, Index cols) const {
    return {column(j) + i, rows, cols, ld(first_of(j))};
  }
  /// The whole square; only for a block of one panel.
  MatrixView<T> whole() const { return {data, n, n, ld(0)}; }

  operator StaircaseView<const T>() const requires(!std::is_const_v<T>) { return {data, n, width}; }

 private:
  /// The first column of column j's panel.
  Index first_of(Index j) const { return j < width ? 0 : j - j % width; }
  Index ld(Index first) const { return padded_ld(n) - first; }
  Index offset(Index first) const { return staircase_offset(n, width, first); }
};

/// Panel width for a lower triangle of order n: about n / 8, with which the entries stored above the diagonal are a sixteenth of
/// the square. A block of order 64 or less is one panel.
constexpr Index staircase_width(Index n) {
  return n <= 64 ? std::max<Index>(n, 1) : std::max<Index>(64, (n / 8 + 7) / 8 * 8);
}

/// Number of entries stored for a block.
constexpr Index staircase_entries(Index n, Index width) {
  const Index last = n > 0 ? (n - 1) / width * width : 0;
  return staircase_offset(n, width, last) + (n - last) * (padded_ld(n) - last);
}

}  // namespace overlapack
