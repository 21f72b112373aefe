#pragma once
#include "base/matrix_view.hpp"
#include "kernels/small/dispatch.hpp"

#include <algorithm>

/// All sizes at which kernels switch between algorithms, and all sizes of the pieces that they work in, in one place, so that a new
/// machine can be measured by this page. Those in `Products` differ between levels of the instruction set; the others are the
/// same on all.
namespace overlapack::kernels::sizes {

/// For which sizes gemm computes C <- C - A op(B), C: m x n with inner dimension k, by the small kernels, which copy no operand,
/// instead of the BLAS. With k <= most_k, one of the conditions of few_*, most_of_B, narrow_cols or wider_cols suffices (gemm.cpp
/// has the tests).
struct Products {
  Index most_k = 256;                    ///< for larger k only if C has one column, or by most_flat_rows
  Index few_rows, few_cols, few_k = -1;  ///< if m, n or k is at most this
  /// If B has at most this many entries k n, which fill half of the second-level cache; -1: no such condition.
  Index most_of_B = -1;
  /// If n <= narrow_cols and A has at most most_of_A entries m k
  Index narrow_cols = 0, most_of_A = 0;
  Index wider_cols = 0, most_of_less_A = 0;  ///< likewise, with A in half of the second-level cache
  Index most_flat_rows = 0;                  ///< k > most_k and op none: if m is at most this; 0: never
  /// With op (trans, conj_trans), at these sizes, only B is copied, into strips; most_cols 0: never.
  struct {
    Index least_rows, least_cols, most_cols, least_k, most_k;
  } strips = {};
};

/// Measured by bench/kernels/small_gemm against OpenBLAS on Zen 3. The small kernels win for few rows or columns, for products so
/// thin that reading and writing C bounds them, and if A is in (half of) the second-level cache.
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
/// For levels with 32 registers of 64 bytes (AVX-512), whose tiles of C are larger.
constexpr Products large_tile_products = make_large_tile_products();

/// The sizes for the level in use.
template <class T>
const Products& products() {
  if constexpr (ScalarTraits<T>::is_complex)
    return complex_products;
  else
    return small::tables->register_bytes == 64 ? large_tile_products : real_products;
}

constexpr Index cache_line = 64;  ///< bytes

/// C <- C - A B^T is fastest if the numbers of rows and columns of C are multiples of these.
constexpr Index update_rows = 24, update_columns = 8;
/// Length of a piece of a long inner dimension, and number of columns of that piece of B, that stay in the second-level cache
/// together.
constexpr Index flat_depth = 384, flat_columns = 24;
/// Number of inner products computed at once, in A^T B with few columns.
constexpr Index dots_at_once = 8;
/// Order of the largest triangle that gemm_lower computes as a square.
constexpr Index lower_square = 16;
/// lower_update: columns at once, low_columns if C has at most low_rows rows, else high_columns.
constexpr Index low_rows = 256, low_columns = 64, high_columns = 128;
/// Edges of the tiles of an update: multiples of tile_grain, from least_tile_edge to most_tile_edge; larger tiles are no faster.
constexpr Index tile_grain = 8, least_tile_edge = 32, most_tile_edge = 384;

/// Size of the first part of n columns in recursions by halves: about n / 2, rounded to a multiple of `base`; n > base.
constexpr Index first_part(Index n, Index base) { return std::max(base, n / 2 / base * base); }
/// triangle, *_columns: order of the largest triangle, or number of columns, handled without recursion; *_block: columns updated
/// at once.
constexpr Index triangle = small::base_width, lu_columns = small::base_width;
constexpr Index cholesky_columns = 8, cholesky_block = 64;
constexpr Index ldlt_columns = 16, ldlt_block = 64;
/// Triangular solves: as many right-hand sides together as fit into solve_cache_bytes of the second-level cache, but not fewer than
/// least_solve_columns; solve_strip of them are transposed at once.
constexpr Index solve_cache_bytes = Index{256} << 10, least_solve_columns = 64, solve_strip = 32;
/// Most columns of a panel, or rows of U, in the substitutions of narrow_solve.hpp.
constexpr Index narrow_solve = 8;
/// Number of entries of a column in which the vector kernel searches the largest at once.
constexpr Index pivot_chunk = 512;
/// Bytes of w that stay in the first-level cache while all vectors are projected out.
constexpr std::size_t projected_bytes = 8192;

/// Extend-add: runs of rows found at once; least columns of a child for which runs are looked for; columns of a transposed child
/// at once.
constexpr Index runs_at_once = 64, least_run_columns = 3, transposed_columns = 128;
/// How many columns ahead copies of rows prefetch.
constexpr Index rows_ahead = 2;

/// Sparse residuals: least products of a slice; rows at once if A is used by rows; fewer right-hand sides than
/// least_residual_group are treated one by one.
constexpr Index least_residual_slice = 16384, residual_rows = 64;
constexpr std::size_t least_residual_group = 3;
/// Dense residuals: rows at once, whose sums stay in the first-level cache; columns at once, with which the block stays in the
/// second-level cache.
constexpr Index dense_residual_rows = 512, dense_residual_columns = 64;
/// Stencil: bytes of the second-level cache for three planes of a strip of u and the plane of `next` that is written; least rows
/// of a strip.
constexpr Index stencil_bytes = Index{384} << 10, least_stencil_rows = 4;

/// Columns of the random matrix that a round of a compression uses.
constexpr Index sample_columns = 16;

}  // namespace overlapack::kernels::sizes
