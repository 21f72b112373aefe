#include "kernels/update/update.hpp"

#include "base/instantiate.hpp"
#include "kernels/product/gemm.hpp"
#include "kernels/product/sizes.hpp"
#include "kernels/update/extend_add.hpp"

#include <algorithm>
#include <cmath>

namespace overlapack::kernels {
namespace {

/// Where the pieces of 0..n begin and end. All lengths except the last are multiples of 8; no piece is longer than `edge`, and
/// all have nearly the same length.
std::vector<Index> cut_positions(Index n, Index edge) {
  constexpr Index grain = sizes::tile_grain;
  const Index grains = (n + grain - 1) / grain, most = std::max<Index>(1, edge / grain);
  const Index count = (grains + most - 1) / most;
  std::vector<Index> at;
  for (Index i = 0; i <= count; ++i) at.push_back(count > 0 ? std::min(n, grains * i / count * grain) : 0);
  return at;
}

/// Append tiles that cover the rows top..bottom-1 of the columns left..left+cols-1.
void append_tiles_of_rows(std::vector<Tile>& tiles, Index top, Index bottom, Index left, Index cols,
                          Index edge) {
  const std::vector<Index> at = cut_positions(bottom - top, edge);
  for (std::size_t i = 0; i + 1 < at.size(); ++i)
    tiles.push_back({top + at[i], left, at[i + 1] - at[i], cols, false});
}

/// update_tile for a C that is the tile itself.
template <class T>
void update_part(const Tile& tile, ConstView<T> A, ConstView<T> B, bool conj, bool accumulate,
                 MatrixView<T> C) {
  const Op op = conj ? Op::conj_trans : Op::trans;
  const ConstView<T> rows = A.block(tile.top, 0, tile.rows, A.cols),
                     cols = B.block(tile.left, 0, tile.cols, B.cols);
  if (tile.is_diagonal)
    gemm_lower(op, T(-1), rows, cols, T(accumulate ? 1 : 0), C);
  else
    gemm(Op::none, op, T(-1), rows, cols, T(accumulate ? 1 : 0), C);
}

}  // namespace

std::vector<Tile> full_tiles(Index rows, Index cols, Index edge) {
  std::vector<Tile> tiles;
  const std::vector<Index> at = cut_positions(cols, edge);
  for (std::size_t j = 0; j + 1 < at.size(); ++j)
    append_tiles_of_rows(tiles, 0, rows, at[j], at[j + 1] - at[j], edge);
  return tiles;
}

std::vector<Tile> lower_tiles(Index rows, Index cols, Index edge) {
  std::vector<Tile> tiles;
  const std::vector<Index> at = cut_positions(cols, edge);
  for (std::size_t j = 0; j + 1 < at.size(); ++j) {
    const Index left = at[j], width = at[j + 1] - left;
    tiles.push_back({left, left, width, width, true});
    append_tiles_of_rows(tiles, at[j + 1], rows, left, width, edge);
  }
  return tiles;
}

std::vector<Tile> staircase_tiles(Index n, Index width, Index edge) {
  std::vector<Tile> tiles;
  for (Index first = 0; first < n; first += width)
    for (Tile tile : lower_tiles(n - first, std::min(width, n - first), edge)) {
      tile.top += first;
      tile.left += first;
      tiles.push_back(tile);
    }
  return tiles;
}

template <class T>
Index tile_edge(double flops, Index k) {
  constexpr double least = sizes::least_tile_edge, most = sizes::most_tile_edge;
  const double edge = std::sqrt(flops / (multiply_add_flops<T> * static_cast<double>(std::max<Index>(1, k))));
  const auto whole = static_cast<Index>(std::clamp(edge, least, most));
  return whole / sizes::tile_grain * sizes::tile_grain;
}

template <class T>
void update_tile(const Tile& tile, ConstView<T> A, ConstView<T> B, bool conj, bool accumulate,
                 MatrixView<T> C) {
  update_part(tile, A, B, conj, accumulate, tile.block_in(C));
}

template <class T>
void update_tile(const Tile& tile, ConstView<T> A, ConstView<T> B, bool conj, bool accumulate,
                 StaircaseView<T> C) {
  update_part(tile, A, B, conj, accumulate, tile.block_in(C));
}

template <class T>
void lower_update(ConstView<T> A, ConstView<T> B, bool conj, bool accumulate, MatrixView<T> C) {
  const Index m = C.rows, n = C.cols, width = m <= sizes::low_rows ? sizes::low_columns : sizes::high_columns;
  for (Index first = 0; first < n; first += width) {
    // C(first:m, first:last) -= A(first:m, :) B(first:last, :)^T
    const Index cols = std::min(width, n - first);
    gemm_lower(conj ? Op::conj_trans : Op::trans, T(-1), A.block(first, 0, m - first, A.cols),
               B.block(first, 0, cols, B.cols), T(accumulate ? 1 : 0),
               C.block(first, first, m - first, cols));
  }
}

template <class T>
void full_update(ConstView<T> A, ConstView<T> B, bool accumulate, MatrixView<T> C) {
  gemm(Op::none, Op::trans, T(-1), A, B, T(accumulate ? 1 : 0), C);
}

template <class T>
MatrixView<T> work_view(std::vector<T>& work, Index m, Index n) {
  const Index ld = padded_ld(m);
  if (static_cast<Index>(work.size()) < ld * n) work.resize(static_cast<std::size_t>(ld * n));
  return {work.data(), m, n, ld};
}

template <class T>
bool scattered_update(ConstView<T> A, ConstView<T> B, std::span<const std::int32_t> row_position,
                      std::span<const std::int32_t> col_position, const ScatterPlan& plan,
                      std::vector<Scalar<T>>& work, MatrixView<T> C) {
  const Index m = A.rows, n = B.rows;
  if (m == 0 || n == 0) return false;
  const auto is_one_block = [](std::span<const std::int32_t> position) {
    return position.back() - position.front() + 1 == static_cast<std::int32_t>(position.size());
  };
  if (n >= plan.direct_columns && is_one_block(col_position) && is_one_block(row_position)) {
    full_update<T>(A, B, true, C.block(row_position.front(), col_position.front(), m, n));
    return true;
  }
  for (Index top = 0; top < m; top += plan.tile_rows) {
    const MatrixView<T> W = work_view(work, std::min(plan.tile_rows, m - top), n);
    full_update<T>(A.block(top, 0, W.rows, A.cols), B, false, W);
    extend_add<T>(W, row_position.data() + top, col_position.data(), C);
  }
  return false;
}

#define OVERLAPACK_INSTANTIATE(T)                                                                            \
  template Index tile_edge<T>(double, Index);                                                                \
  template void update_tile<T>(const Tile&, MatrixView<const T>, MatrixView<const T>, bool, bool,            \
                               MatrixView<T>);                                                               \
  template void update_tile<T>(const Tile&, MatrixView<const T>, MatrixView<const T>, bool, bool,            \
                               StaircaseView<T>);                                                            \
  template void lower_update<T>(MatrixView<const T>, MatrixView<const T>, bool, bool, MatrixView<T>);        \
  template void full_update<T>(MatrixView<const T>, MatrixView<const T>, bool, MatrixView<T>);               \
  template bool scattered_update<T>(MatrixView<const T>, MatrixView<const T>, std::span<const std::int32_t>, \
                                    std::span<const std::int32_t>, const ScatterPlan&, std::vector<T>&,      \
                                    MatrixView<T>);                                                          \
  template MatrixView<T> work_view<T>(std::vector<T>&, Index, Index);
OVERLAPACK_FOR_EACH_SCALAR(OVERLAPACK_INSTANTIATE)
#undef OVERLAPACK_INSTANTIATE

}  // namespace overlapack::kernels
