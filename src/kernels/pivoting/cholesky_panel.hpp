#pragma once
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

namespace overlapack::kernels {

/// P = [D; A21] <- [L11; L21] with D = L11 L11^H, L21 = A21 L11^{-H}  (^T for real numbers); lower part.
/// Returns s, or the first column k < s whose pivot is not positive; then columns 0..k-1 are final and the
/// rest of P is undefined.
/// Shapes  P: f x s, f >= s; entries above the diagonal are overwritten (workspace)
/// Cost    cholesky_panel_cost(f, s)
template <class T>
Index cholesky_panel(MatrixView<T> P);

template <class T>
constexpr Cost cholesky_panel_cost(Index f, Index s) {
  const double df = f, ds = s;
  return cost_of<T>(ds * ds * (df - ds * 2 / 3) / 2, 2 * df * ds);
}

}  // namespace overlapack::kernels
