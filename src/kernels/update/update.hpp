#pragma once
#include "base/staircase_view.hpp"
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// The trailing update of a front, whole or as independent tiles that may run in any order and at the same time.
namespace overlapack::kernels {

/// A rectangle of a matrix that is updated as a unit.
struct Tile {
  Index top = 0, left = 0, rows = 0, cols = 0;
  bool is_diagonal = false;  ///< a square on the diagonal; only its lower triangle is updated

  template <class View>
  auto block_in(const View& C) const {
    return C.block(top, left, rows, cols);
  }
  /// Flops of adding a product with inner dimension k to the tile.
  template <class T>
  double flops(Index k) const {
    const double entries =
        static_cast<double>(rows) * static_cast<double>(is_diagonal ? rows + 1 : 2 * cols) / 2;
    return multiply_add_flops<T> * entries * static_cast<double>(k);
  }
};

/// The tiles of a matrix: no edge is longer than `edge`, and all are of nearly the same size.
std::vector<Tile> full_tiles(Index rows, Index cols, Index edge);
/// The tiles of the lower part of a matrix with rows >= cols whose diagonal begins at (0, 0).
std::vector<Tile> lower_tiles(Index rows, Index cols, Index edge);
/// The tiles of a block of order n stored in panels of `width` columns; no tile is in two panels.
std::vector<Tile> staircase_tiles(Index n, Index width, Index edge);
/// The edge of tiles that take at most about `flops` with inner dimension k; at least 32.
template <class T>
Index tile_edge(double flops, Index k);

/// C <- C - A B^T (B^H if conj) in one tile of C; with accumulate = false  C <- -A B^T, and C is not read.
/// Shapes  A: m x k, B: n x k, C: m x n; the part of a diagonal tile above the diagonal is undefined afterwards
template <class T>
void update_tile(const Tile& tile, ConstView<T> A, ConstView<T> B, bool conj, bool accumulate,
                 MatrixView<T> C);
template <class T>
void update_tile(const Tile& tile, ConstView<T> A, ConstView<T> B, bool conj, bool accumulate,
                 StaircaseView<T> C);

/// The lower trapezoid of C <- C - A B^T  (B^H if conj); with accumulate = false  C <- -A B^T, and C is not read.
/// Shapes  A: m x k, B: n x k, C: m x n, m >= n; above the diagonal only entries near it are touched, and undefined afterwards
/// Cost    lower_update_cost(m, k) if C is square
template <class T>
void lower_update(ConstView<T> A, ConstView<T> B, bool conj, bool accumulate, MatrixView<T> C);

/// C <- C - A B^T;  with accumulate = false  C <- -A B^T, and C is not read.
/// Shapes  A: m x k, B: n x k, C: m x n
/// Cost    gemm_cost(m, n, k)
template <class T>
void full_update(ConstView<T> A, ConstView<T> B, bool accumulate, MatrixView<T> C);

/// How scattered_update computes its product.
struct ScatterPlan {
  Index tile_rows = 256;  ///< rows of a tile that is computed in work space and then added to C
  /// From this many columns on, a product with contiguous positions is written straight into C.
  Index direct_columns = 8;
};

/// C(row_position[i], col_position[j]) -= (A B^T)(i, j); positions ascend. Returns whether the product was written straight into C.
/// Shapes  A: m x k, B: n x k, row_position: m, col_position: n; work grows as needed
/// Cost    gemm_cost(m, n, k), and extend_add_cost(m n) if it was not written straight into C
template <class T>
bool scattered_update(ConstView<T> A, ConstView<T> B, std::span<const std::int32_t> row_position,
                      std::span<const std::int32_t> col_position, const ScatterPlan& plan,
                      std::vector<Scalar<T>>& work, MatrixView<T> C);

/// An m x n view of `work`, which grows as needed.
template <class T>
MatrixView<T> work_view(std::vector<T>& work, Index m, Index n);

template <class T>
constexpr Cost lower_update_cost(Index n, Index k) {
  const double dn = n, dk = k;
  return cost_of<T>(dn * (dn + 1) / 2 * dk, 2 * dn * dk + dn * (dn + 1));
}

}  // namespace overlapack::kernels
