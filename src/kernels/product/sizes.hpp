#pragma once
#include "base/matrix_view.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>

/// The sizes at which kernels change their way, and of the pieces that they work in: all of them, so that a new machine is measured by
/// this page. Those of `Products` have a row for each kind of level; the others are the same on all.
namespace overlapack::kernels::sizes {

/// Where a product C <- C - A op(B), C: m x n, with the inner dimension k, is made by kernels without copies instead of a BLAS.
struct Products {
  Index most_k = 256;                    ///< longer inner dimensions: one column alone
  Index few_rows, few_cols, few_k = -1;  ///< at most so many: always
  /// Entries of B, k n, that are in half of the second-level cache: at most so many: always; -1: they do not count.
  Index most_of_B = -1;
  Index narrow_cols = 0, most_of_A = 0;      ///< at most so many columns, and entries of A, m k
  Index wider_cols = 0, most_of_less_A = 0;  ///< the same again, with A in half of the second-level cache
  Index most_flat_rows = 0;  ///< longer inner dimensions, without op: at most so many rows; 0: never
  /// With op, at these sizes: B alone is copied, in strips; most_cols 0: never.
  struct {
    Index least_rows, least_cols, most_cols, least_k, most_k;
  } strips = {};
};

/// Measured by bench/kernels/small_gemm beside OpenBLAS on Zen 3: few rows or columns, products so thin that they are bound by reading
/// and writing C, or with A in (half of) the second-level cache.
constexpr Products real_products{.few_rows = 24,
                                 .few_cols = 16,
                                 .few_k = 4,
                                 .narrow_cols = 32,
                                 .most_of_A = 65536,
                                 .wider_cols = 64,
                                 .most_of_less_A = 32768};
constexpr Products complex_products{.few_rows = 16, .few_cols = 16};

constexpr Products make_large_tile_products() {
  Products large = real_products;
  large.most_of_B = 65536;     // decision 0057
  large.most_flat_rows = 192;  // m = 64, k = 2000: 57 instead of 36 Gflop/s
  large.strips = {
      .least_rows = 48, .least_cols = 16, .most_cols = 512, .least_k = 64, .most_k = 256};  // decision 0053
  return large;
}
/// 32 registers of 64 bytes.
constexpr Products large_tile_products = make_large_tile_products();

/// The row of the level in use.
template <class T>
const Products& products() {
  if constexpr (ScalarTraits<T>::is_complex)
    return complex_products;
  else
    return small::tables->register_bytes == 64 ? large_tile_products : real_products;
}

constexpr Index cache_line = 64;  ///< bytes

/// C <- C - A B^T is fastest for multiples of so many rows and columns of C.
constexpr Index update_rows = 24, update_columns = 8;
/// Pieces of long inner dimensions, and columns of B's, that stay in the second-level cache together.
constexpr Index flat_depth = 384, flat_columns = 24;
/// Inner products at once, of A^T B with few columns.
constexpr Index dots_at_once = 8;
/// Largest triangle of gemm_lower that is computed as a square.
constexpr Index lower_square = 16;
/// lower_update: columns at once, of at most low_rows rows and of more.
constexpr Index low_rows = 256, low_columns = 64, high_columns = 128;
/// Edges of the tiles of an update: multiples of tile_grain; larger ones than the last are no faster.
constexpr Index tile_grain = 8, least_tile_edge = 32, most_tile_edge = 384;

/// First part of n columns that are worked off by halves: about half, a multiple of `base`, which n exceeds.
constexpr Index first_part(Index n, Index base) { return std::max(base, n / 2 / base * base); }
/// Largest triangle that is eliminated without recursion; largest block of columns that is updated at once.
constexpr Index triangle = small::base_width, lu_columns = small::base_width;
constexpr Index cholesky_columns = 8, cholesky_block = 64;
constexpr Index ldlt_columns = 16, ldlt_block = 64;
/// Right-hand sides of a triangle: as many as stay in so many bytes of the second-level cache, and not fewer than these; so many
/// transposed at once.
constexpr Index solve_cache_bytes = Index{256} << 10, least_solve_columns = 64, solve_strip = 32;
/// Most columns of a panel, or rows of U, in substitutions without the set-up of general kernels.
constexpr Index narrow_solve = 8;
/// Entries of a column among which the largest is looked for at once.
constexpr Index pivot_chunk = 512;
/// Bytes of w that stay in the first-level cache while all vectors are projected out.
constexpr std::size_t projected_bytes = 8192;

/// Extend-add: runs of rows at once; with fewer columns they are not looked for; columns at once of a transposed child.
constexpr Index runs_at_once = 64, least_run_columns = 3, transposed_columns = 128;
/// Columns ahead that moves of rows fetch.
constexpr Index rows_ahead = 2;

/// Sparse residuals: products of a slice; rows at once, if A is used by rows; fewer right-hand sides go one by one.
constexpr Index least_residual_slice = 16384, residual_rows = 64;
constexpr std::size_t least_residual_group = 3;
/// Dense residuals: rows whose sums stay in the first-level cache, and columns with which they stay in the second-level one.
constexpr Index dense_residual_rows = 512, dense_residual_columns = 64;
/// Bytes of the second-level cache for three planes of a strip of u and the plane of next that is written; least rows of a strip.
constexpr Index stencil_bytes = Index{384} << 10, least_stencil_rows = 4;

/// Columns of the random matrix in a round of a compression.
constexpr Index sample_columns = 16;

}  // namespace overlapack::kernels::sizes
