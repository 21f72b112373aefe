#pragma once
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dense {

/// Calls f(k, A(k, k)) for this process's diagonal entries; f may change them.
template <class T, class F>
void for_my_diagonal(const dist::DistributedMatrix<T>& A, F&& f) {
  for (Index j = 0; j < A.local.cols; ++j) {
    const dist::Global k = A.cols.global({j}, A.me.col);
    if (k.value < A.m() && A.owns_row(k)) f(k.value, A.local(A.first_row(k), j));
  }
}

}  // namespace overlapack::dense
