#pragma once
#include "overlapack/scalar.hpp"

#include <span>
#include <vector>

namespace overlapack::kernels {

/// w <- (I - V V^H) w for orthonormal vectors V, by classical Gram-Schmidt. It works on pieces of the vectors that stay in the
/// cache. If less than a thousandth of w is left, it does a second pass, so that at most three digits of orthogonality are lost.
/// Shapes  w: as each vector of V; along: a number for each vector of V, to which V^H w is added
/// Returns ||w||_2 of the result
/// Cost    a pass reads V twice, and w from memory twice; modified Gram-Schmidt would read w twice for each vector of V
/// Source  Giraud, Langou, Rozloznik, The loss of orthogonality in the Gram-Schmidt process, 2005
template <class T>
double orthogonalise(std::span<const std::vector<T>> V, std::span<T> w, std::span<T> along);

}  // namespace overlapack::kernels
