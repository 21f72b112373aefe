#pragma once
#include <array>
#include <span>
#include <string_view>

namespace overlapack::kernels {

/// Rates of one core in GF/s at widths 1, 2, 4, ..., 1024; between them linear, beyond them constant.
using RateTable = std::array<double, 11>;

/// C = -A B^T of inner dimension `width`, C of order b: rate(width) b / (b + half_border).
struct UpdateRates {
  RateTable rate{};
  double half_border = 0;  ///< where half of the rate is reached
};

/// What the kernels do a second on one core, with double precision, and what else a factorisation takes. Decisions read this
/// table and measure nothing: the same matrix is treated alike in every run.
struct Rates {
  std::string_view level;                 ///< of BLAS's kernels, as small_kernel_level names it
  UpdateRates update_full, update_lower;  ///< all of C, its lower triangle
  /// [D; L21], and U12 of lu, with as many pivots
  RateTable panel_lu{}, panel_ldlt{}, panel_cholesky{};
  /// What a factorisation takes beside its arithmetic, which hardly depends on the level: bytes of a contribution block, as extend-add
  /// reads it, reads and writes its parent, with the zeros there before and the misses of caches; seconds of a front, whatever its
  /// size. Fitted to the seconds of 14 matrices at each level.
  double assembly_bytes_per_s = 6e9, front_s = 0.9e-6;
  /// The same of a node of supernodal LU, of each panel that it updates, of each entry of its lists, and of each entry of a product
  /// (of 8 bytes) that is added to a panel. Fitted to the instructions that callgrind counts, nodes over fronts, on twelve matrices
  /// (docs/supernodal.md), at an assembly of 12e9 bytes a second; added_s has followed that to 6e9.
  double node_s = 1e-6, node_update_s = 9e-8, listed_s = 3.7e-8, added_s = 4.8e-9;
  /// L D L^T column by column: seconds of each column in any case, of an entry of L, which its column is looked up for, of a
  /// multiply-add. Set by seven KKT, SLAM and Laplacian matrices, where an entry takes 20 to 65 ns, the more the less of L stays in
  /// the caches; there the ratio to the fronts' seconds tells which is faster.
  double column_s = 60e-9, column_entry_s = 35e-9, column_multiply_add_s = 0.6e-9;
};

/// All rows, the oldest level first.
std::span<const Rates> all_rates();

/// The row of a level.
/// Errors  internal for one that has none
const Rates& rates_of(std::string_view level);

/// The row of the level of the BLAS's kernels; of our own small ones where the BLAS does not tell.
const Rates& rates_in_use();

}  // namespace overlapack::kernels
