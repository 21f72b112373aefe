#pragma once
#include "kernels/product/rates.hpp"
#include "sparse/analysis/fronts/assembly_tree.hpp"

#include <vector>

namespace overlapack::sparse {

/// The cost of numbers of a scalar type.
struct ScalarCost {
  double bytes = 8;
  double operation = 1;  ///< time of an addition or multiplication relative to double precision
};

/// The cost model of a front on one core.
///   seconds(f, s) = operation x (panel flops / panel rate(s)
///                                + update flops / (update rate(s) b / (b + half_border)))
///                   + assembly_bytes(b) / assembly_bytes_per_s + front_s,     b = f - s
/// The panel is [D; L21] (and U12 for lu), the update C - L21 U12. Only ratios between fronts matter to the decisions.
struct FrontCostModel {
  /// those of other kernels, or another machine's, where they are to decide
  kernels::Rates rates = kernels::rates_in_use();
  ScalarCost scalar = {};
};

/// Entries of the factors of one front: D, L21 and U12 for lu; lower triangle of D and L21 otherwise.
inline double front_factor_nnz(FactorKind kind, Index f, Index s) {
  const double width = static_cast<double>(s), border = static_cast<double>(f - s);
  return kind == FactorKind::lu ? width * (width + 2 * border) : width * (width + 1) / 2 + width * border;
}

/// Entries of the contribution block: b^2 for lu, its lower triangle otherwise.
inline double contribution_nnz(FactorKind kind, Index f, Index s) {
  const double border = static_cast<double>(f - s);
  return kind == FactorKind::lu ? border * border : border * (border + 1) / 2;
}

/// Operations (additions, multiplications, divisions, roots) that eliminate s variables of a front of order f.
double front_flops(FactorKind kind, Index f, Index s);

/// Predicted seconds of one front on one core, with the assembly of its contribution block into its parent.
double front_seconds(FactorKind kind, Index f, Index s, const FrontCostModel& model);

/// Predicted seconds of a node of supernodal LU, with the updates of other nodes by it.
/// w: its variables; r: rows of L below its square; c: columns of U behind it; updated: the number of panels that it updates
double node_seconds(Index w, Index r, Index c, Index updated, const FrontCostModel& model);

/// Predicted seconds of each front of a tree on one core.
std::vector<double> front_seconds(const AssemblyTree& tree, FactorKind kind, const FrontCostModel& model);

}  // namespace overlapack::sparse
