#pragma once
#include "comm/rank.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dense {

/// A function that returns my rows of `count` local columns from `first` on, either from memory or regenerated. The view is valid until
/// the next call. So checks can read A after the factors have overwritten it.
template <class T>
using ColumnSource = comm::FunctionRef<MatrixView<const T>(Index first, Index count)>;

/// The columns of a matrix in memory.
template <class T>
auto columns_of(const dist::DistributedMatrix<T>& A) {
  return [local = A.local](Index first, Index count) -> MatrixView<const T> {
    return local.block(0, first, local.rows, count);
  };
}

}  // namespace overlapack::dense
