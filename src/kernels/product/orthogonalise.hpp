#pragma once
#include "overlapack/scalar.hpp"

#include <span>
#include <vector>

namespace overlapack::kernels {

/// w <- (I - V V^H) w for orthonormal vectors V: classical Gram-Schmidt in pieces of the vectors that stay in the cache, done again
/// where less than a thousandth of w is left, so that at most three digits of orthogonality are lost.
/// Shapes  w: as each vector of V; along: a number for each vector of V, to which V^H w is added
/// Returns ||w||_2 of the result
/// Cost    V is read twice, where steps along one vector after the other would read w as often
/// Source  Giraud, Langou, Rozloznik, The loss of orthogonality in the Gram-Schmidt process, 2005
template <class T>
double orthogonalise(std::span<const std::vector<T>> V, std::span<T> w, std::span<T> along);

}  // namespace overlapack::kernels
