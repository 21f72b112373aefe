#pragma once
#include "overlapack/triangular_factors.hpp"
#include "sparse/block_triangular/columns/column_factors.hpp"

#include <span>

namespace overlapack::sparse::block_triangular {

/// P A P^T = L D L^T of a symmetric matrix A, from the factors of B, which is S A S in the order of the
/// pivots.
/// number: column of L -> unknown of A; scale: S by unknowns, powers of two
template <class T>
SymmetricFactors<T> symmetric_parts(const ColumnFactors<T>& factors, std::span<const Node> number,
                                    std::span<const double> scale);

}  // namespace overlapack::sparse::block_triangular
