#pragma once
#include "comm/rank.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dense {

/// Returns my rows of `count` local columns from `first` on, from memory or regenerated. Valid until the next call.
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
