#pragma once
#include "comm/rank.hpp"
#include "kernels/product/gemm.hpp"

namespace overlapack::dense {

/// Whether products on this grid are cut into tiles: if messages may be under way, or if helper threads may compute tiles.
inline bool is_product_tiled(const comm::Rank& rank, int grid_size) {
  return grid_size > 1 || rank.capabilities().slice_helpers;
}

/// C <- C + alpha A op(B), in tiles of order `tile` with polls between them; tile = 0: all at once.
template <class T>
void add_product(comm::Rank& rank, Index tile, kernels::Op op_b, kernels::Scalar<T> alpha,
                 kernels::ConstView<T> A, kernels::ConstView<T> B, MatrixView<T> C);

}  // namespace overlapack::dense
