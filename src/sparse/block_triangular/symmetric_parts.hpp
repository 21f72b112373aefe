#pragma once
#include "overlapack/triangular_factors.hpp"
#include "sparse/block_triangular/columns/column_factors.hpp"

#include <span>

namespace overlapack::sparse::block_triangular {

/// P A P^T = L D L^T of factors B = L D L^T of a symmetric matrix, B = S A S but for its order.
/// number: column of L -> unknown of A; scale: S by unknowns, powers of two
template <class T>
SymmetricFactors<T> symmetric_parts(const ColumnFactors<T>& factors, std::span<const Node> number,
                                    std::span<const double> scale);

}  // namespace overlapack::sparse::block_triangular
