#pragma once
#include "comm/rank.hpp"
#include "dist/grid/distributed_matrix.hpp"

namespace overlapack::dense {

/// My part of some columns of a matrix, (first, count) of the local ones: as they lie in memory, or made anew. Valid until
/// the next call.
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
