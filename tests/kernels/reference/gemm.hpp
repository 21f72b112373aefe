#pragma once
#include "kernels/product/gemm.hpp"

namespace overlapack::kernels::reference {

/// Entry (i, j) of op(A).
template <class T>
T entry(Op op, MatrixView<const T> A, Index i, Index j) {
  if (op == Op::none) return A(i, j);
  return op == Op::trans ? A(j, i) : conjugate(A(j, i));
}

template <class T>
void gemm(Op op_a, Op op_b, Scalar<T> alpha, ConstView<T> A, ConstView<T> B, Scalar<T> beta,
          MatrixView<T> C) {
  const Index inner = op_a == Op::none ? A.cols : A.rows;
  for (Index j = 0; j < C.cols; ++j)
    for (Index i = 0; i < C.rows; ++i) {
      T sum(0);
      for (Index p = 0; p < inner; ++p) sum += entry<T>(op_a, A, i, p) * entry<T>(op_b, B, p, j);
      C(i, j) = beta == T(0) ? alpha * sum : alpha * sum + beta * C(i, j);
    }
}

}  // namespace overlapack::kernels::reference
