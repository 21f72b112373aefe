#pragma once
#include "base/staircase_view.hpp"
#include "kernels/product/cost.hpp"
#include "kernels/product/operand.hpp"

#include <cstdint>
#include <span>
#include <vector>

/// The trailing update of a front, whole or as independent tiles that may run in any order and at the same time.
namespace overlapack::kernels {

/// A part of a matrix.
struct Tile {
  Index top = 0, left = 0, rows = 0, cols = 0;
  bool is_diagonal = false;  ///< only its lower triangle counts: a square at the diagonal

  template <class View>
  auto of(const View& C) const {
    return C.block(top, left, rows, cols);
  }
  /// Of adding a product of inner dimension k to it.
  template <class T>
  double flops(Index k) const {
    const double entries =
        static_cast<double>(rows) * static_cast<double>(is_diagonal ? rows + 1 : 2 * cols) / 2;
    return multiply_add_flops<T> * entries * static_cast<double>(k);
  }
};

/// Tiles of a matrix, none with an edge above `edge`, all of nearly the same size.
std::vector<Tile> full_tiles(Index rows, Index cols, Index edge);
/// The same for the lower part of a matrix with rows >= cols whose diagonal begins at (0, 0).
std::vector<Tile> lower_tiles(Index rows, Index cols, Index edge);
/// The same for a block of order n in panels of `width`: none is in two panels.
std::vector<Tile> staircase_tiles(Index n, Index width, Index edge);
/// The edge of tiles that take about `flops` (at most, down to edges of 32) with inner dimension k.
template <class T>
Index tile_edge(double flops, Index k);

/// C <- C - A B^T (B^H where conj) in one tile of C; with accumulate = false  C <- -A B^T, C not read.
/// Shapes  A: m x k, B: n x k, C: m x n; of a diagonal tile the part above the diagonal is undefined afterwards
template <class T>
void update_tile(const Tile& tile, ConstView<T> A, ConstView<T> B, bool conj, bool accumulate,
                 MatrixView<T> C);
template <class T>
void update_tile(const Tile& tile, ConstView<T> A, ConstView<T> B, bool conj, bool accumulate,
                 StaircaseView<T> C);

/// The lower trapezoid of C <- C - A B^T  (B^H where conj); with accumulate = false  C <- -A B^T, C not read.
/// Shapes  A: m x k, B: n x k, C: m x n, m >= n; above the diagonal only entries near it are touched (undefined after)
/// Cost    lower_update_cost(m, k) where C is square
template <class T>
void lower_update(ConstView<T> A, ConstView<T> B, bool conj, bool accumulate, MatrixView<T> C);

/// C <- C - A B^T;  with accumulate = false  C <- -A B^T, C not read.
/// Shapes  A: m x k, B: n x k, C: m x n
/// Cost    gemm_cost(m, n, k)
template <class T>
void full_update(ConstView<T> A, ConstView<T> B, bool accumulate, MatrixView<T> C);

/// How a product goes to scattered places.
struct ScatterPlan {
  Index tile_rows = 256;  ///< of a product that is computed elsewhere and added
  Index direct_columns =
      8;  ///< from so many columns on, one whose rows and columns lie side by side is computed in its place
};

/// C(row_place[i], col_place[j]) -= (A B^T)(i, j); places ascend. True: computed in its place.
/// Shapes  A: m x k, B: n x k, row_place: m, col_place: n; work grows as needed
/// Cost    gemm_cost(m, n, k), and extend_add_cost(m n) where it is not computed in its place
template <class T>
bool scattered_update(ConstView<T> A, ConstView<T> B, std::span<const std::int32_t> row_position,
                      std::span<const std::int32_t> col_position, const ScatterPlan& plan,
                      std::vector<Scalar<T>>& work, MatrixView<T> C);

/// m x n in `work`, which grows as needed.
template <class T>
MatrixView<T> work_view(std::vector<T>& work, Index m, Index n);

template <class T>
constexpr Cost lower_update_cost(Index n, Index k) {
  const double dn = n, dk = k;
  return cost_of<T>(dn * (dn + 1) / 2 * dk, 2 * dn * dk + dn * (dn + 1));
}

}  // namespace overlapack::kernels
