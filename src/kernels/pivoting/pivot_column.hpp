#pragma once
#include "kernels/product/operand.hpp"

namespace overlapack::kernels {

/// Position of the first one of the m entries of x that has the largest magnitude. NaN is skipped; returns 0 if all are NaN.
/// Shapes  x: m >= 1 entries
template <class T>
Index largest_entry(Index m, const T* x);

/// x <- x / pivot; multiplies by the reciprocal unless that would overflow.
/// Shapes  x: m entries; pivot: not 0
template <class T>
void divide_column(Index m, const T& pivot, T* x);

}  // namespace overlapack::kernels
