#include "dense/tiled_product.hpp"

#include "base/instantiate.hpp"

#include <algorithm>

namespace overlapack::dense {

template <class T>
void add_product(comm::Rank& rank, Index tile, kernels::Op op_b, kernels::Scalar<T> alpha,
                 kernels::ConstView<T> A, kernels::ConstView<T> B, MatrixView<T> C) {
  if (C.empty() || A.cols == 0) return;
  const auto cost = kernels::gemm_cost<T>(C.rows, C.cols, A.cols);
  const comm::Work work{"gemm", cost.flops, cost.bytes, C.rows, C.cols, A.cols};
  const auto add = [&](Index i, Index j, Index m, Index n) {
    const MatrixView<const T> Bj =
        op_b == kernels::Op::none ? B.block(0, j, B.rows, n) : B.block(j, 0, n, B.cols);
    kernels::gemm<T>(kernels::Op::none, op_b, alpha, A.block(i, 0, m, A.cols), Bj, T(1), C.block(i, j, m, n));
  };
  if (tile == 0) {
    rank.compute(work, [&] { add(0, 0, C.rows, C.cols); });
    return;
  }
  const Index down = (C.rows + tile - 1) / tile, across = (C.cols + tile - 1) / tile;
  rank.run_slices(work, static_cast<std::size_t>(down * across), [&](std::size_t s) {
    const Index i = static_cast<Index>(s) % down * tile, j = static_cast<Index>(s) / down * tile;
    add(i, j, std::min(tile, C.rows - i), std::min(tile, C.cols - j));
  });
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template void add_product<T>(comm::Rank&, Index, kernels::Op, T, MatrixView<const T>, MatrixView<const T>, \
                               MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::dense
