#pragma once
#include "kernels/cost.hpp"
#include "kernels/operand.hpp"

/// The trailing update of a front, as independent slices: tiles may run in any order and at the same time.
namespace overlapack::kernels {

/// Number of tiles of lower_update: block columns of 64 for order <= 256, else of 128.
Index lower_update_tiles(Index order);

/// Tile `tile` of  C <- C - W L^T  (L^H where conj), lower triangle; with accumulate = false  C <- -W L^T, C
/// not read.
/// Shapes  W, L: n x k, C: n x n; above the diagonal only entries inside the diagonal blocks are touched
///         (undefined after)
/// Cost    lower_update_cost(n, k) for all tiles; lower_update_tile_cost(tile, n, k) for one
template <class T>
void lower_update_tile(Index tile, ConstView<T> W, ConstView<T> L, bool conj, bool accumulate,
                       MatrixView<T> C);

/// All tiles of it.
template <class T>
void lower_update(ConstView<T> W, ConstView<T> L, bool conj, bool accumulate, MatrixView<T> C);

/// Number of tiles of full_update: about 384 x 384 entries each.
Index full_update_tiles(Index rows, Index cols);

/// Tile `tile` of  C <- C - A B^T;  with accumulate = false  C <- -A B^T, C not read.
/// Shapes  A: m x k, B: n x k, C: m x n
/// Cost    gemm_cost(m, n, k) for all tiles
template <class T>
void full_update_tile(Index tile, ConstView<T> A, ConstView<T> B, bool accumulate, MatrixView<T> C);

/// All tiles of it.
template <class T>
void full_update(ConstView<T> A, ConstView<T> B, bool accumulate, MatrixView<T> C);

template <class T>
constexpr Cost lower_update_cost(Index n, Index k) {
  const double dn = n, dk = k;
  return cost_of<T>(dn * (dn + 1) / 2 * dk, 2 * dn * dk + dn * (dn + 1));
}

}  // namespace overlapack::kernels
