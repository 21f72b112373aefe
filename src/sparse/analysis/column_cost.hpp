#pragma once
#include "sparse/analysis/elimination_tree.hpp"

namespace overlapack::sparse {

/// What L D L^T column by column costs on one core: seconds of each column in any case, of an entry of L, which its column is looked
/// up for, of a multiply-add. Set by seven KKT, SLAM and Laplacian matrices, where an entry takes 20 to 65 ns, the more the less of
/// L stays in the caches; there the ratio to the seconds of FrontCostModel tells which is faster.
struct ColumnCostModel {
  double column_s = 60e-9, entry_s = 35e-9, multiply_add_s = 0.6e-9;
};

/// What L D L^T takes with every pivot in its place.
struct ColumnCost {
  double seconds = 0;  ///< predicted
  double entries = 0;  ///< of L and D
  double flops = 0;
};

/// Cost    nearly linear in the quotient graph
ColumnCost cost_of_columns(const QuotientGraph& quotient, const EliminationTree& tree,
                           const ColumnCostModel& model);

}  // namespace overlapack::sparse
