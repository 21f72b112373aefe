#pragma once
#include "comm/rank.hpp"

#include <span>

namespace overlapack::dense {

/// Lower bound of ||B||_1 from products alone, seldom too low by more than a factor 3. apply: x <- B x; apply_adjoint: x <- B^H x. All
/// ranks start from the same vectors and therefore make the same calls.
/// Shapes  B: n x n
/// Cost    4 to 11 products
/// Source  Hager 1984; Higham 1988, ACM TOMS 14, Algorithm 4.1 (LAPACK's xLACN2)
template <class T>
double estimate_one_norm(Index n, comm::FunctionRef<void(std::span<T>)> apply,
                         comm::FunctionRef<void(std::span<T>)> apply_adjoint);

}  // namespace overlapack::dense
