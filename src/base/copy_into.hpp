#pragma once
#include "base/matrix_view.hpp"

#include <algorithm>
#include <type_traits>

namespace overlapack {

/// to <- from, of the same shape.
template <class T>
void copy_into(std::type_identity_t<MatrixView<const T>> from, MatrixView<T> to) {
  for (Index j = 0; j < from.cols; ++j) std::copy_n(from.column(j), from.rows, to.column(j));
}

}  // namespace overlapack
