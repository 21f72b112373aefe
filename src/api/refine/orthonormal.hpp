#pragma once
#include "base/matrix_view.hpp"

namespace overlapack::api {

/// An orthonormal basis of the span of Z's columns in place, by Gram and Schmidt, twice.
/// Shapes  Z: n x k, k <= n, of full rank
/// Cost    4 n k^2 flops
template <class T>
void orthonormalise(MatrixView<T> Z);

}  // namespace overlapack::api
