#pragma once
#include "kernels/product/cost.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/operand.hpp"
#include "kernels/sparse/wide.hpp"

namespace overlapack::kernels {

/// R <- R - op(A) X, summed in a longer format than T, and W <- W + |op(A)| |X|: a residual and the sizes of its terms.
/// Shapes  op(A): m x n, X: n x k, R and W: m x k
/// Cost    residual_cost(m, n, k)
template <class T>
void dense_residual(Op op, MatrixView<const T> A, ConstView<T> X, MatrixView<WideScalar<T>> R,
                    MatrixView<Real<T>> W);

template <class T>
constexpr Cost residual_cost(Index m, Index n, Index k) {
  const double dm = m, dn = n, dk = k;
  return cost_of<T>(2 * dm * dn * dk, dm * dn + (dm + dn) * dk);
}

}  // namespace overlapack::kernels
