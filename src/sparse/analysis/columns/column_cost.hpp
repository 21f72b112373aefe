#pragma once
#include "kernels/product/rates.hpp"
#include "sparse/analysis/graph/elimination_tree.hpp"

#include <span>

namespace overlapack::sparse {

/// What L D L^T column by column takes with every pivot in its place.
struct ColumnCost {
  double seconds = 0;  ///< predicted
  double entries = 0;  ///< of L and D
  double flops = 0;
};

/// counts: column_counts of the tree
ColumnCost cost_of_columns(const QuotientGraph& quotient, const EliminationTree& tree,
                           std::span<const Index> counts, const kernels::Rates& rates);

}  // namespace overlapack::sparse
