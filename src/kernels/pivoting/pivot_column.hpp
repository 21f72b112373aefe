#pragma once
#include "kernels/product/operand.hpp"

namespace overlapack::kernels {

/// The first of the m entries of x that has the largest magnitude. NaN is passed over; 0 where all are NaN.
/// Shapes  x: m >= 1 entries
template <class T>
Index largest_entry(Index m, const T* x);

/// x <- x / pivot, by the reciprocal where that is a number.
/// Shapes  x: m entries; pivot: not 0
template <class T>
void divide_column(Index m, const T& pivot, T* x);

}  // namespace overlapack::kernels
