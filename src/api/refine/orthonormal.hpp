#pragma once
#include "base/matrix_view.hpp"

namespace overlapack::api {

/// Replace Z's columns by an orthonormal basis of their span, by Gram-Schmidt orthogonalisation done twice.
/// Shapes  Z: n x k, k <= n, of full rank
/// Cost    4 n k^2 flops
template <class T>
void orthonormalise(MatrixView<T> Z);

}  // namespace overlapack::api
