#include "kernels/update.hpp"

#include "kernels/gemm.hpp"

#include <algorithm>

namespace overlapack::kernels {
namespace {

Index block_width(Index order) { return order <= 256 ? 64 : 128; }

/// Number of pieces of about 384 that n is cut into.
Index pieces(Index n) { return n <= 576 ? (n > 0) : (n + 191) / 384; }

}  // namespace

Index lower_update_tiles(Index order) { return (order + block_width(order) - 1) / block_width(order); }

template <class T>
void lower_update_tile(Index tile, ConstView<T> W, ConstView<T> L, bool conj, bool accumulate,
                       MatrixView<T> C) {
  // C(first:n, first:last) -= W(first:n, :) L(first:last, :)^T
  const Index n = C.rows, first = tile * block_width(n), last = std::min(n, first + block_width(n));
  gemm_lower(conj ? Op::conj_trans : Op::trans, T(-1), W.block(first, 0, n - first, W.cols),
             L.block(first, 0, last - first, L.cols), T(accumulate ? 1 : 0),
             C.block(first, first, n - first, last - first));
}

template <class T>
void lower_update(ConstView<T> W, ConstView<T> L, bool conj, bool accumulate, MatrixView<T> C) {
  for (Index tile = 0; tile < lower_update_tiles(C.rows); ++tile)
    lower_update_tile(tile, W, L, conj, accumulate, C);
}

Index full_update_tiles(Index rows, Index cols) { return pieces(rows) * pieces(cols); }

template <class T>
void full_update_tile(Index tile, ConstView<T> A, ConstView<T> B, bool accumulate, MatrixView<T> C) {
  const Index down = pieces(C.rows), across = pieces(C.cols), i = tile % down, j = tile / down;
  const Index top = C.rows * i / down, bottom = C.rows * (i + 1) / down;
  const Index left = C.cols * j / across, right = C.cols * (j + 1) / across;
  gemm(Op::none, Op::trans, T(-1), A.block(top, 0, bottom - top, A.cols),
       B.block(left, 0, right - left, B.cols), T(accumulate ? 1 : 0),
       C.block(top, left, bottom - top, right - left));
}

template <class T>
void full_update(ConstView<T> A, ConstView<T> B, bool accumulate, MatrixView<T> C) {
  gemm(Op::none, Op::trans, T(-1), A, B, T(accumulate ? 1 : 0), C);
}

#define INSTANTIATE(T)                                                                                     \
  template void lower_update_tile<T>(Index, MatrixView<const T>, MatrixView<const T>, bool, bool,          \
                                     MatrixView<T>);                                                       \
  template void lower_update<T>(MatrixView<const T>, MatrixView<const T>, bool, bool, MatrixView<T>);      \
  template void full_update_tile<T>(Index, MatrixView<const T>, MatrixView<const T>, bool, MatrixView<T>); \
  template void full_update<T>(MatrixView<const T>, MatrixView<const T>, bool, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::kernels
