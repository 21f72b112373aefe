#include "kernels/cholesky_panel.hpp"

#include "kernels/gemm.hpp"
#include "kernels/reference/cholesky_panel.hpp"
#include "kernels/triangular.hpp"

#include <algorithm>

namespace overlapack::kernels {
namespace {

constexpr Index base = 8, block_columns = 64;

/// Columns 0..n-1 of P, all rows; returns n or the first column whose pivot is not positive.
template <class T>
Index factorize(MatrixView<T> P, Index n) {
  if (n <= base) {
    const auto D = P.block(0, 0, n, n);
    const Index positive = reference::cholesky_panel(D);
    solve_right_lower_trans(D.block(0, 0, positive, positive), false, true,
                            P.block(n, 0, P.rows - n, positive));
    return positive;
  }
  const Index left = std::max(base, n / 2 / base * base);
  const Index positive = factorize(P, left);
  if (positive < left) return positive;
  // A22 -= L21 L21^H, lower part, by block columns
  for (Index j = left; j < n; j += block_columns) {
    const Index width = std::min(block_columns, n - j), rows = P.rows - j;
    gemm_lower(Op::conj_trans, T(-1), P.block(j, 0, rows, left), P.block(j, 0, width, left), T(1),
               P.block(j, j, rows, width));
  }
  return left + factorize(P.block(left, left, P.rows - left, n - left), n - left);
}

}  // namespace

template <class T>
Index cholesky_panel(MatrixView<T> P) {
  return factorize(P, P.cols);
}

#define INSTANTIATE(T) template Index cholesky_panel<T>(MatrixView<T>);
OVERLAPACK_FOR_EACH_SCALAR(INSTANTIATE)
#undef INSTANTIATE

}  // namespace overlapack::kernels
