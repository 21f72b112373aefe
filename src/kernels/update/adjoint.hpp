#pragma once
#include "kernels/product/operand.hpp"

namespace overlapack::kernels {

/// B <- A^H; with conj = false A^T.
/// Shapes  A: m x n, B: n x m; their memories do not overlap
/// Cost    each entry is read once and written once
template <class T>
void adjoint(ConstView<T> A, MatrixView<T> B, bool conj = true);

}  // namespace overlapack::kernels
