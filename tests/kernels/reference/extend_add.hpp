#pragma once
#include "kernels/update/extend_add.hpp"

namespace overlapack::kernels::reference {

template <class T>
void extend_add(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                MatrixView<T> parent) {
  for (Index j = 0; j < child.cols; ++j)
    for (Index i = 0; i < child.rows; ++i) parent(row_map[i], col_map[j]) += child(i, j);
}

template <class T>
void extend_add_transposed(ConstView<T> child, const std::int32_t* row_map, const std::int32_t* col_map,
                           MatrixView<T> parent) {
  for (Index j = 0; j < child.cols; ++j)
    for (Index i = 0; i < child.rows; ++i) parent(col_map[j], row_map[i]) += child(i, j);
}

template <class T>
void extend_add_lower(ConstView<T> child, const std::int32_t* map, bool hermitian, MatrixView<T> parent) {
  for (Index j = 0; j < child.cols; ++j)
    for (Index i = j; i < child.rows; ++i) {
      if (map[i] >= map[j])
        parent(map[i], map[j]) += child(i, j);
      else
        parent(map[j], map[i]) += hermitian ? conjugate(child(i, j)) : child(i, j);
    }
}

}  // namespace overlapack::kernels::reference
