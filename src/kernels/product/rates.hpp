#pragma once
#include <array>
#include <span>
#include <string_view>

namespace overlapack::kernels {

/// Rates of one core in GF/s at the widths 1, 2, 4, ..., 1024; linear between them, and constant beyond them.
using RateTable = std::array<double, 11>;

/// Rate of C = -A B^T with inner dimension `width` and C of order b: rate(width) b / (b + half_border).
struct UpdateRates {
  RateTable rate{};
  double half_border = 0;  ///< order of C at which half of the rate is reached
};

/// Rates of the kernels on one core, in double precision, and other costs of a factorisation. Plans decide by this table instead
/// of by
/// measurements, so that the same matrix is treated alike in every run.
struct Rates {
  std::string_view level;                 ///< of the BLAS's kernels, as small_kernel_level names it
  UpdateRates update_full, update_lower;  ///< of all of C, and of its lower triangle alone
  /// Rates of eliminating the panel [D; L21] (for LU also U12), by its number of pivots
  RateTable panel_lu{}, panel_ldlt{}, panel_cholesky{};
  /// Costs besides arithmetic, which hardly depend on the level. assembly_bytes_per_s: bytes a second of assembly (extend-add
  /// reads the contribution block, reads and writes the parent), zeroing and cache misses included; front_s: seconds that a front
  /// takes whatever its size. Fitted to the seconds of 14 matrices at each level.
  double assembly_bytes_per_s = 6e9, front_s = 0.9e-6;
  /// Supernodal LU: seconds of each node, of each panel that a node updates, of each entry of its lists, and of each entry (of 8
  /// bytes) of a product that is added to a panel. Fitted to the instructions that callgrind counts for nodes, relative to those
  /// for fronts, on twelve matrices (docs/supernodal.md), with an assembly of 12e9 bytes a second; added_s is scaled to 6e9.
  double node_s = 1e-6, node_update_s = 9e-8, listed_s = 3.7e-8, added_s = 4.8e-9;
  /// L D L^T column by column: seconds of each column, of each entry of L (whose column is looked up), and of each multiply-add.
  /// Fitted to seven KKT, SLAM and Laplacian matrices, where an entry takes 20 to 65 ns, more if less of L stays in the caches.
  /// For these matrices, the ratio to the fronts' seconds tells rightly which is faster.
  double column_s = 60e-9, column_entry_s = 35e-9, column_multiply_add_s = 0.6e-9;
};

/// The tables of all levels, the oldest level first.
std::span<const Rates> all_rates();

/// The table of a level.
/// Errors  internal for a level without one
const Rates& rates_of(std::string_view level);

/// The table of the BLAS's level, or of the small kernels' level if that of the BLAS is unknown.
const Rates& rates_in_use();

}  // namespace overlapack::kernels
