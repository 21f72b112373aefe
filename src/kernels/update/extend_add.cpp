#include "kernels/update/extend_add.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::kernels {
namespace {

/// A piece of a map as runs of consecutive numbers: at most `most` runs, found once and used for all columns.
struct Runs {
  static constexpr Index most = 64;
  struct Run {
    Index first, length;  ///< of the child
    std::int32_t to;      ///< map[first]
  };
  Run run[most];
  Index count = 0;
  Index first, last;  ///< the piece is first..last-1

  /// The piece from `first` on, of a map of n numbers.
  Runs(const std::int32_t* map, Index first_, Index n) : first(first_), last(first_) {
    for (; count < most && last < n; ++count) {
      const Index start = last++;
      while (last < n && map[last] - map[start] == last - start) ++last;
      run[count] = {start, last - start, map[start]};
    }
  }

  /// Long enough to be worth a loop each.
  bool are_long() const { return last - first >= 4 * count; }
};

/// to[map[i]] += from[i] for i in the piece, i >= top.
template <class T>
void add_piece(const Runs& runs, const std::int32_t* map, Index top, const T* from, T* to) {
  if (!runs.are_long()) {
    for (Index i = std::max(top, runs.first); i < runs.last; ++i) to[map[i]] += from[i];
    return;
  }
  for (Index r = 0; r < runs.count; ++r) {
    const auto [first, length, start] = runs.run[r];
    const Index skipped = std::clamp<Index>(top - first, 0, length);
    const T* x = from + first;
    T* y = to + start;
    for (Index i = skipped; i < length; ++i) y[i] += x[i];
  }
}

bool ascends(const std::int32_t* map, Index n) { return std::is_sorted(map, map + n); }

/// Whole columns, or what is below the diagonal of each.
template <class T, class Parent>
void add_columns(MatrixView<const T> child, bool is_lower, const std::int32_t* row_map,
                 const std::int32_t* col_map, const Parent& parent) {
  for (Index first = 0; first < child.rows;) {
    const Runs runs(row_map, first, child.rows);
    const Index cols = is_lower ? std::min(child.cols, runs.last) : child.cols;
    for (Index j = 0; j < cols; ++j)
      add_piece(runs, row_map, is_lower ? j : 0, child.column(j), parent.column(col_map[j]));
    first = runs.last;
  }
}

/// Columns first..last-1 of a lower triangle of order n; the map ascends, so that they stay lower.
template <class Child, class Parent>
void add_lower_columns(const Child& child, Index n, Index first, Index last, const std::int32_t* map,
                       const Parent& parent) {
  for (Index top = first; top < n;) {
    const Runs runs(map, top, n);
    for (Index j = first; j < std::min(last, runs.last); ++j)
      add_piece(runs, map, j, child.column(j), parent.column(map[j]));
    top = runs.last;
  }
}

}  // namespace

template <class T>
void extend_add(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                MatrixView<T> parent) {
  constexpr Index few = 3;  // with fewer columns runs are not searched for
  for (Index j = 0; child.cols < few && j < child.cols; ++j) {
    const T* const from = child.column(j);
    T* const to = parent.column(col_map[j]);
    for (Index i = 0; i < child.rows; ++i) to[row_map[i]] += from[i];
  }
  if (child.cols >= few) add_columns<T>(child, false, row_map, col_map, parent);
}

template <class T>
void extend_add(ConstView<T> child, bool is_lower, const std::int32_t* row_map, const std::int32_t* col_map,
                StaircaseView<T> parent) {
  add_columns<T>(child, is_lower, row_map, col_map, parent);
}

template <class T>
void extend_add_transposed(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                           MatrixView<T> parent) {
  // columns of the child read together, so that lines of the parent are used whole
  constexpr Index strip = 16;
  for (Index left = 0; left < child.cols; left += strip) {
    const Index right = std::min(left + strip, child.cols);
    for (Index i = 0; i < child.rows; ++i) {
      T* to = parent.column(row_map[i]);
      for (Index j = left; j < right; ++j) to[col_map[j]] += child(i, j);
    }
  }
}

template <class T>
void extend_add_lower(ConstView<T> child, const std::int32_t* map, bool hermitian, MatrixView<T> parent) {
  if (ascends(map, child.rows)) return add_lower_columns(child, child.rows, 0, child.rows, map, parent);
  for (Index j = 0; j < child.rows; ++j)
    for (Index i = j; i < child.rows; ++i) {
      if (map[i] >= map[j])
        parent(map[i], map[j]) += child(i, j);
      else
        parent(map[j], map[i]) += hermitian ? conjugate(child(i, j)) : child(i, j);
    }
}

template <class T>
void extend_add_lower(StaircaseView<const T> child, Index first, Index last, const std::int32_t* map,
                      MatrixView<T> parent) {
  add_lower_columns(child, child.n, first, last, map, parent);
}

template <class T>
void extend_add_lower(StaircaseView<const T> child, Index first, Index last, const std::int32_t* map,
                      StaircaseView<T> parent) {
  add_lower_columns(child, child.n, first, last, map, parent);
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template void extend_add<T>(MatrixView<const T>, const std::int32_t*, const std::int32_t*, MatrixView<T>); \
  template void extend_add<T>(MatrixView<const T>, bool, const std::int32_t*, const std::int32_t*,           \
                              StaircaseView<T>);                                                             \
  template void extend_add_transposed<T>(MatrixView<const T>, const std::int32_t*, const std::int32_t*,      \
                                         MatrixView<T>);                                                     \
  template void extend_add_lower<T>(MatrixView<const T>, const std::int32_t*, bool, MatrixView<T>);          \
  template void extend_add_lower<T>(StaircaseView<const T>, Index, Index, const std::int32_t*,               \
                                    MatrixView<T>);                                                          \
  template void extend_add_lower<T>(StaircaseView<const T>, Index, Index, const std::int32_t*,               \
                                    StaircaseView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
