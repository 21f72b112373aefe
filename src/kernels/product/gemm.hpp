#pragma once
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

namespace overlapack::kernels {

enum class Op { none, trans, conj_trans };

/// C <- alpha op(A) op(B) + beta C.  With beta = 0 C is written and never read.
/// Shapes  C: m x n, op(A): m x k, op(B): k x n; any of them may be 0 (k = 0 scales C by beta)
/// Cost    gemm_cost(m, n, k)
template <class T>
void gemm(Op op_a, Op op_b, Scalar<T> alpha, ConstView<T> A, ConstView<T> B, Scalar<T> beta, MatrixView<T> C);

/// gemm by the BLAS for all shapes; gemm itself uses overlapack's own kernels for small ones.
template <class T>
void gemm_by_blas(Op op_a, Op op_b, Scalar<T> alpha, ConstView<T> A, ConstView<T> B, Scalar<T> beta,
                  MatrixView<T> C);

/// The lower trapezoid of  C <- alpha A op(B) + beta C,  C: m x n with m >= n. Entries above the diagonal are touched only in a
/// band beside it, and are undefined afterwards.
/// Cost    gemm_cost(m, n, k) less about n^2 / 2 inner products
template <class T>
void gemm_lower(Op op_b, Scalar<T> alpha, ConstView<T> A, ConstView<T> B, Scalar<T> beta, MatrixView<T> C);

template <class T>
constexpr Cost gemm_cost(Index m, Index n, Index k) {
  const double dm = m, dn = n, dk = k;
  return cost_of<T>(dm * dn * dk, dm * dk + dk * dn + 2 * dm * dn);
}

}  // namespace overlapack::kernels
