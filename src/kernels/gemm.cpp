#include "kernels/gemm.hpp"

#include "kernels/blas.hpp"

#include <algorithm>

namespace overlapack::kernels {
namespace {

char letter(Op op) { return op == Op::none ? 'N' : op == Op::trans ? 'T' : 'C'; }

blas::Int blas_int(Index n) { return static_cast<blas::Int>(n); }

/// Leading dimensions must be at least 1 for BLAS, also for views of one column.
template <class T>
blas::Int ld(MatrixView<T> A) {
  return blas_int(std::max<Index>(A.ld, 1));
}

}  // namespace

template <class T>
void gemm(Op op_a, Op op_b, Scalar<T> alpha, ConstView<T> A, ConstView<T> B, Scalar<T> beta,
          MatrixView<T> C) {
  if (C.empty()) return;
  const Index inner = op_a == Op::none ? A.cols : A.rows;
  blas::gemm(letter(op_a), letter(op_b), blas_int(C.rows), blas_int(C.cols), blas_int(inner), alpha, A.data,
             ld(A), B.data, ld(B), beta, C.data, ld(C));
}

#define INSTANTIATE(T) \
  template void gemm<T>(Op, Op, T, MatrixView<const T>, MatrixView<const T>, T, MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::kernels
