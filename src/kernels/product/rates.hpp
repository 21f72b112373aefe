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

/// Rates of the kernels on one core, in double precision, and other costs of a factorisation. Decisions use this table instead of
/// measurements, so that the same matrix is treated alike in every run.
struct Rates {
  std::string_view level;                 ///< of BLAS's kernels, as small_kernel_level names it
  UpdateRates update_full, update_lower;  ///< all of C, its lower triangle
  /// [D; L21], and U12 of lu, with as many pivots
  RateTable panel_lu{}, panel_ldlt{}, panel_cholesky{};
  /// Costs besides arithmetic, which hardly depend on the level: bytes a second of assembly (extend-add reads the contribution
  /// block, reads and writes the parent), with zeroing and cache misses; seconds of a front of any size. Fitted to the seconds of
  /// 14 matrices at each level.
  double assembly_bytes_per_s = 6e9, front_s = 0.9e-6;
  /// Seconds of a node of supernodal LU, of each panel that it updates, of each entry of its lists, and of each entry of a product
  /// (of 8 bytes) that is added to a panel. Fitted to the instructions that callgrind counts, nodes over fronts, on twelve matrices
  /// (docs/supernodal.md), at an assembly of 12e9 bytes a second; added_s is scaled to 6e9.
  double node_s = 1e-6, node_update_s = 9e-8, listed_s = 3.7e-8, added_s = 4.8e-9;
  /// L D L^T column by column: seconds of each column, of each entry of L (its column is looked up), of each multiply-add. Fitted
  /// to seven KKT, SLAM and Laplacian matrices, where an entry takes 20 to 65 ns, more if less of L stays in the caches; for these
  /// the ratio to the fronts' seconds shows which is faster.
  double column_s = 60e-9, column_entry_s = 35e-9, column_multiply_add_s = 0.6e-9;
};

/// All rows, the oldest level first.
std::span<const Rates> all_rates();

/// The row of a level.
/// Errors  internal for a level without one
const Rates& rates_of(std::string_view level);

/// The row of the level of the BLAS's kernels; of the small kernels where the BLAS's level is unknown.
const Rates& rates_in_use();

}  // namespace overlapack::kernels
