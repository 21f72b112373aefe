#include "kernels/extend_add.hpp"

#include <algorithm>

namespace overlapack::kernels {
namespace {

/// to[map[i]] += from[i], i = first..last-1, consecutive numbers of the map as one vector.
template <class T>
void add_mapped(const T* from, const std::int32_t* map, Index first, Index last, T* to) {
  for (Index i = first; i < last;) {
    const std::int32_t start = map[i];
    Index end = i + 1;
    while (end < last && map[end] - start == end - i) ++end;
    T* out = to + start;
    for (Index p = i; p < end; ++p) out[p - i] += from[p];
    i = end;
  }
}

bool ascends(const std::int32_t* map, Index n) {
  for (Index i = 1; i < n; ++i)
    if (map[i] < map[i - 1]) return false;
  return true;
}

}  // namespace

template <class T>
void extend_add(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                MatrixView<T> parent) {
  for (Index j = 0; j < child.cols; ++j)
    add_mapped(child.column(j), row_map, 0, child.rows, parent.column(col_map[j]));
}

template <class T>
void extend_add_transposed(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                           MatrixView<T> parent) {
  constexpr Index strip =
      16;  // columns of the child read together, so that lines of the parent are used whole
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
  const bool stays_lower = ascends(map, child.rows);
  for (Index j = 0; j < child.cols; ++j) {
    if (stays_lower) {
      add_mapped(child.column(j), map, j, child.rows, parent.column(map[j]));
      continue;
    }
    for (Index i = j; i < child.rows; ++i) {
      if (map[i] >= map[j])
        parent(map[i], map[j]) += child(i, j);
      else
        parent(map[j], map[i]) += hermitian ? conjugate(child(i, j)) : child(i, j);
    }
  }
}

#define INSTANTIATE(T)                                                                                       \
  template void extend_add<T>(MatrixView<const T>, const std::int32_t*, const std::int32_t*, MatrixView<T>); \
  template void extend_add_transposed<T>(MatrixView<const T>, const std::int32_t*, const std::int32_t*,      \
                                         MatrixView<T>);                                                     \
  template void extend_add_lower<T>(MatrixView<const T>, const std::int32_t*, bool, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::kernels
