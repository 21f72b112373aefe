#pragma once
#include "kernels/product/rates.hpp"
#include "sparse/analysis/graph/elimination_tree.hpp"

#include <span>

namespace overlapack::sparse {

/// The predicted cost of L D L^T column by column, if every pivot stays in its place.
struct ColumnCost {
  double seconds = 0;  ///< predicted
  double entries = 0;  ///< of L and D
  double flops = 0;
};

/// Predict the cost by the column counts of the tree (column_counts).
ColumnCost cost_of_columns(const QuotientGraph& quotient, const EliminationTree& tree,
                           std::span<const Index> counts, const kernels::Rates& rates);

}  // namespace overlapack::sparse
