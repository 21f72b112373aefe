#pragma once
#include "sparse/analysis/assembly_tree.hpp"

#include <array>
#include <span>
#include <vector>

namespace overlapack::sparse {

/// Rates of one core in GF/s at widths 1, 2, 4, ..., 1024; between them linear, beyond them constant.
using RateTable = std::array<double, 11>;

/// What a front costs on one core: a plain table, so that a plan can carry another machine's numbers.
///   seconds(f, s) = panel flops / panel rate(s)
///                   + update flops / (update rate(s) b / (b + update_half_border))
///                   + assembly_bytes(b) / assembly_bytes_per_s + fixed_s,     b = f - s
/// The panel is [D; L21] (and U12 for lu), the update C - L21 U12.
/// Defaults: a core of 64 GF/s (AVX2) with OpenBLAS 0.3.21. Update rates are those of dgemm at k = s (32: 52,
/// 64: 58, 256: 65 GF/s); panel rates make the whole front f/s = 256/96 run at 22 GF/s (lu) and 43
/// (cholesky), as measured there with recursive panels; rates of widths below 32, assembly and the fixed cost
/// are set by hand. Only ratios between fronts matter to the decisions.
struct FrontCostModel {
  RateTable update{1.5, 3, 6, 12, 22, 36, 46, 53, 57, 58, 58};
  RateTable panel_lu{0.4, 0.8, 1.6, 3, 5, 8, 11, 14, 18, 24, 32};
  RateTable panel_ldlt{0.4, 0.8, 1.6, 3.2, 6, 11, 18, 24, 30, 36, 40};
  RateTable panel_cholesky{0.5, 1, 2, 4.5, 10, 19, 28, 36, 42, 46, 48};
  double update_half_border = 8;       ///< at this border the update runs at half its rate
  double assembly_bytes_per_s = 12e9;  ///< extend-add: reads the child, reads and writes the parent
  double scalar_bytes = 8;
  double fixed_s = 1e-6;  ///< of a front, whatever its size: calls, indices, book-keeping
  /// The same of a node of supernodal LU, of each panel that it updates, of each entry of its lists, and of each entry of a product
  /// (of 8 bytes) that is added to a panel. Fitted to the instructions that callgrind counts, nodes over fronts, on twelve matrices
  /// (docs/supernodal.md); none of these ratios is off by more than 9 %.
  double node_s = 1e-6, update_s = 9e-8, listed_s = 3.7e-8, added_s = 2.4e-9;
};

/// Entries of the factors of one front: D, L21 and U12 for lu; lower triangle of D and L21 otherwise.
inline double front_factor_nnz(FactorKind kind, Index f, Index s) {
  const double width = static_cast<double>(s), border = static_cast<double>(f - s);
  return kind == FactorKind::lu ? width * (width + 2 * border) : width * (width + 1) / 2 + width * border;
}

/// Entries of the contribution block: b^2 for lu, its lower triangle otherwise.
inline double front_border_nnz(FactorKind kind, Index f, Index s) {
  const double border = static_cast<double>(f - s);
  return kind == FactorKind::lu ? border * border : border * (border + 1) / 2;
}

/// Operations (additions, multiplications, divisions, roots) that eliminate s variables of a front of order f.
double front_flops(FactorKind kind, Index f, Index s);

/// Predicted seconds of one front on one core, with the assembly of its contribution block into its parent.
double front_seconds(FactorKind kind, Index f, Index s, const FrontCostModel& model);

/// Predicted seconds of a node of supernodal LU, with the updates that it gives to others.
/// Shapes  w: its variables, r: rows of L below its square, c: columns of U behind it; updated: panels that it updates
double node_seconds(Index w, Index r, Index c, Index updated, const FrontCostModel& model);

/// The same for each front of a tree.
std::vector<double> front_seconds(const AssemblyTree& tree, FactorKind kind,
                                  const FrontCostModel& model = {});

}  // namespace overlapack::sparse
